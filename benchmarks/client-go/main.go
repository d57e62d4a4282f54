// Copyright 2026-present the original author or authors.
// SPDX-License-Identifier: Apache-2.0

// Runs an informer of pods of client-go with protobuf, as controllers in Go use it, for the benchmarks. The arguments and the figures, a
// line for each, are those of the clients in Java:
//
//	client-go run=ClientProcess server=URL objects=N updates=N [streaming-list] [certificate=FILE token=TOKEN server-pid=PID]
//	client-go run=LatencyProcess server=URL objects=N updates=N rate=N
package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

const (
	pods     = "/api/v1/pods"
	protobuf = "application/vnd.kubernetes.protobuf"
	patience = 10 * time.Minute
	megabyte = 1 << 20
)

type settings map[string]string

func (s settings) number(name string) int {
	number, _ := strconv.Atoi(s[name])
	return number
}

// An event of the handler: the version of its object, and its time if the run measures latency.
type arrival struct {
	version string
	nanos   int64
}

type client struct {
	settings settings
	informer cache.SharedIndexInformer
	factory  informers.SharedInformerFactory
	stop     chan struct{}
	events   atomic.Int64
	timed    bool
	arrivals []arrival
	mutex    sync.Mutex
	types    map[string]bool
	streamed bool
}

func main() {
	arguments := settings{}
	for _, argument := range os.Args[1:] {
		name, value, _ := strings.Cut(argument, "=")
		arguments[name] = value
	}
	run := map[string]func(settings) error{"ClientProcess": compare, "LatencyProcess": latency}[arguments["run"]]
	if run == nil {
		fail(fmt.Errorf("unknown run %q", arguments["run"]))
	}
	if err := run(arguments); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "client-go:", err)
	os.Exit(1)
}

func newClient(settings settings) (*client, error) {
	_, streaming := settings["streaming-list"]
	if err := os.Setenv("KUBE_FEATURE_WatchListClient", strconv.FormatBool(streaming)); err != nil {
		return nil, err
	}
	c := &client{settings: settings, stop: make(chan struct{}), types: map[string]bool{}}
	config := &rest.Config{Host: settings["server"], QPS: -1, BearerToken: settings["token"]}
	config.ContentType = protobuf
	config.AcceptContentTypes = protobuf + ",application/json"
	config.CAFile = settings["certificate"]
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return &recorder{next, c} })
	clientset, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	c.factory = informers.NewSharedInformerFactory(clientset, 0)
	c.informer = c.factory.Core().V1().Pods().Informer()
	_, err = c.informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    c.event,
		UpdateFunc: func(_, object any) { c.event(object) },
		DeleteFunc: c.event,
	})
	return c, err
}

// Records the content types of the server's answers, and whether a streaming list was requested.
type recorder struct {
	next   http.RoundTripper
	client *client
}

func (r *recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := r.next.RoundTrip(request)
	if err == nil {
		r.client.mutex.Lock()
		r.client.streamed = r.client.streamed || request.URL.Query().Get("sendInitialEvents") == "true"
		r.client.types[strings.Split(response.Header.Get("Content-Type"), ";")[0]] = true
		r.client.mutex.Unlock()
	}
	return response, err
}

func (c *client) start() {
	c.factory.Start(c.stop)
}

func (c *client) event(object any) {
	if c.timed {
		if pod, ok := object.(*corev1.Pod); ok {
			c.arrivals = append(c.arrivals, arrival{pod.ResourceVersion, time.Now().UnixNano()})
		}
	}
	c.events.Add(1)
}

func (c *client) await(events int) error {
	deadline := time.Now().Add(patience)
	for c.events.Load() < int64(events) || !c.informer.HasSynced() {
		if time.Now().After(deadline) {
			return fmt.Errorf("%d of %d events after %s", c.events.Load(), events, patience)
		}
		time.Sleep(500 * time.Microsecond)
	}
	return nil
}

// Checks that everything was protobuf, that the list was streamed as configured, and that the cache is complete.
func (c *client) verify() error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if len(c.types) != 1 || !c.types[protobuf] {
		return fmt.Errorf("server answered in %v instead of protobuf", c.types)
	}
	if _, streaming := c.settings["streaming-list"]; streaming != c.streamed {
		return fmt.Errorf("streaming list: %t instead of %t", c.streamed, streaming)
	}
	if cached := len(c.informer.GetStore().ListKeys()); cached != c.settings.number("objects") {
		return fmt.Errorf("%d instead of %d objects in the cache", cached, c.settings.number("objects"))
	}
	return nil
}

func compare(settings settings) error {
	objects, updates := settings.number("objects"), settings.number("updates")
	pid := settings["server-pid"]
	serverCPU := cpuOf(pid)
	cpu := cpuSeconds()
	began := time.Now()
	c, err := newClient(settings)
	if err != nil {
		return err
	}
	c.start()
	if err := c.await(objects); err != nil {
		return err
	}
	figure("SYNC_SECONDS", time.Since(began).Seconds())
	figure("SYNC_CPU_SECONDS", cpuSeconds()-cpu)
	if pid != "" {
		figure("SERVER_CPU_SECONDS", cpuOf(pid)-serverCPU)
	}
	figure("SYNC_PEAK_MEGABYTES", peakMegabytes())
	figure("LIST_LIVE_MEGABYTES", liveMegabytes())
	if updates > 0 {
		cpu = cpuSeconds()
		began = time.Now()
		if _, err := control(settings, "events", "count", updates, "rate", 0); err != nil {
			return err
		}
		if err := c.await(objects + updates); err != nil {
			return err
		}
		figure("UPDATES_SECONDS", time.Since(began).Seconds())
		figure("UPDATES_CPU_SECONDS", cpuSeconds()-cpu)
		figure("UPDATES_LIVE_MEGABYTES", liveMegabytes())
	}
	figure("PEAK_MEGABYTES", peakMegabytes())
	return c.verify()
}

func latency(settings settings) error {
	objects, updates, rate := settings.number("objects"), settings.number("updates"), settings.number("rate")
	warmUp := updates / 3
	c, err := newClient(settings)
	if err != nil {
		return err
	}
	c.timed = true
	c.arrivals = make([]arrival, 0, objects+updates)
	c.start()
	if err := c.await(objects); err != nil {
		return err
	}
	total := objects
	for _, count := range []int{warmUp, updates - warmUp} {
		if _, err := control(settings, "events", "count", count, "rate", rate); err != nil {
			return err
		}
		total += count
		if err := c.await(total); err != nil {
			return err
		}
	}
	stamps, err := control(settings, "stamps", "", 0, "", 0)
	if err != nil {
		return err
	}
	millis, err := latencies(stamps, c.arrivals[objects+warmUp:])
	if err != nil {
		return err
	}
	for name, share := range map[string]float64{"P50": 0.5, "P99": 0.99, "P999": 0.999, "MAX": 1} {
		figure("LATENCY_"+name, millis[max(0, int(math.Ceil(share*float64(len(millis))))-1)])
	}
	return c.verify()
}

// Returns the sorted milliseconds from the stamps of events, a line with version and time for each, to their arrivals.
func latencies(stamps string, arrivals []arrival) ([]float64, error) {
	sent := map[string]int64{}
	for line := range strings.Lines(stamps) {
		version, nanos, _ := strings.Cut(strings.TrimSpace(line), " ")
		sent[version], _ = strconv.ParseInt(nanos, 10, 64)
	}
	count := len(sent)
	var millis []float64
	for _, arrival := range arrivals {
		if nanos, ok := sent[arrival.version]; ok {
			delete(sent, arrival.version)
			millis = append(millis, float64(arrival.nanos-nanos)/1e6)
		}
	}
	if len(millis) != len(arrivals) || count != len(arrivals) {
		return nil, fmt.Errorf("%d of %d events have one of %d stamps", len(millis), len(arrivals), count)
	}
	slices.Sort(millis)
	return millis, nil
}

// Sends a command to the replay server.
func control(settings settings, command, first string, firstValue int, second string, secondValue int) (string, error) {
	query := url.Values{"resource": {pods}}
	if first != "" {
		query.Set(first, strconv.Itoa(firstValue))
		query.Set(second, strconv.Itoa(secondValue))
	}
	response, err := http.Get(settings["server"] + "/control/" + command + "?" + query.Encode())
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = errors.New(response.Status)
	}
	return string(body), err
}

func figure(name string, value float64) {
	fmt.Printf("figure %s %.6f\n", name, value)
}

func cpuSeconds() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return math.NaN()
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}

// Returns the processor time of another process, in hundredths of a second.
func cpuOf(pid string) float64 {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(stat[strings.LastIndex(string(stat), ")")+1:]))
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) / 100
}

func peakMegabytes() float64 {
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if strings.HasPrefix(line, "VmHWM:") {
			kilobytes, _ := strconv.ParseFloat(strings.Fields(line)[1], 64)
			return kilobytes / 1024
		}
	}
	return 0
}

// Returns the size of the heap that remains in use after collections, the second of which frees what finalizers kept.
func liveMegabytes() float64 {
	runtime.GC()
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return float64(memory.HeapAlloc) / megabyte
}

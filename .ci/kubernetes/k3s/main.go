// Command k3s-stand-in starts etcd and kube-apiserver in a container and behaves like k3s as far as Testcontainers' K3sContainer
// looks: it understands "server --tls-san=HOST", listens on 6443, writes the administrator's kubeconfig to where k3s does, with a
// client certificate as k3s does, and then prints the line that K3sContainer waits for. There are no nodes and no controllers.
package main

import (
	"crypto/tls"
	"fmt"
	"log"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	data       = "/var/lib/k3s-stand-in"
	kubeconfig = "/etc/rancher/k3s/k3s.yaml"
	server     = "https://127.0.0.1:6443"
	ready      = "Node controller sync successful"
	patience   = 2 * time.Minute
)

func main() {
	log.SetPrefix("k3s-stand-in: ")
	log.SetFlags(0)
	if err := run(os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

func run(arguments []string) error {
	if len(arguments) == 0 || arguments[0] != "server" {
		return fmt.Errorf("the first argument has to be \"server\", the only thing this stands in for; got %q", arguments)
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT)
	certificates, err := newCertificates(tlsSubjects(arguments[1:]))
	if err != nil {
		return err
	}
	if err := certificates.write(data); err != nil {
		return err
	}
	ended := make(chan error, 2)
	for _, command := range []*exec.Cmd{etcd(), apiServer()} {
		if err := start(command, ended); err != nil {
			return err
		}
	}
	awaited := make(chan error, 1)
	go func() { awaited <- awaitReady(certificates) }()
	for {
		select {
		case <-stop:
			return nil
		case err := <-ended:
			return err
		case err := <-awaited:
			if err != nil {
				return err
			}
			if err := announce(certificates); err != nil {
				return err
			}
		}
	}
}

// tlsSubjects returns the names and addresses under which clients will reach the server. All other flags of k3s are left aside.
func tlsSubjects(flags []string) []string {
	var subjects []string
	for i, flag := range flags {
		if value, found := strings.CutPrefix(flag, "--tls-san="); found {
			subjects = append(subjects, strings.Split(value, ",")...)
		} else if flag == "--tls-san" && i+1 < len(flags) {
			subjects = append(subjects, strings.Split(flags[i+1], ",")...)
		}
	}
	return subjects
}

func etcd() *exec.Cmd {
	return exec.Command("/bin/etcd", "--data-dir="+filepath.Join(data, "etcd"), "--unsafe-no-fsync", "--log-level=warn")
}

func apiServer() *exec.Cmd {
	file := func(name string) string { return filepath.Join(data, name) }
	return exec.Command("/bin/kube-apiserver",
		"--etcd-servers=http://127.0.0.1:2379",
		"--secure-port=6443",
		"--cert-dir="+data,
		"--tls-cert-file="+file(serverCertificate),
		"--tls-private-key-file="+file(serverKey),
		"--client-ca-file="+file(authority),
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file="+file(serverKey),
		"--service-account-signing-key-file="+file(serverKey),
		"--service-cluster-ip-range=10.43.0.0/16",
		"--authorization-mode=Node,RBAC",
		"--disable-admission-plugins=ServiceAccount",
		"--endpoint-reconciler-type=none",
		"--allow-privileged=true")
}

func start(command *exec.Cmd, ended chan<- error) error {
	command.Stdout = os.Stderr
	command.Stderr = os.Stderr
	if err := command.Start(); err != nil {
		return err
	}
	go func() { ended <- fmt.Errorf("%s ended: %v", command.Path, command.Wait()) }()
	return nil
}

func awaitReady(certificates *certificates) error {
	client := &http.Client{
		Timeout: 5 * time.Second,
		Transport: &http.Transport{
			DisableKeepAlives: true,
			TLSClientConfig: &tls.Config{
				RootCAs:      certificates.pool(),
				Certificates: []tls.Certificate{certificates.client.tls()},
			},
		},
	}
	var last error
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		answer, err := client.Get(server + "/readyz")
		if err != nil {
			last = err
			continue
		}
		answer.Body.Close()
		if answer.StatusCode == http.StatusOK {
			return nil
		}
		last = fmt.Errorf("/readyz answers %s", answer.Status)
	}
	return fmt.Errorf("kube-apiserver was not ready within %s: %w", patience, last)
}

func announce(certificates *certificates) error {
	if err := os.MkdirAll(filepath.Dir(kubeconfig), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(kubeconfig, certificates.kubeconfig(), 0o600); err != nil {
		return err
	}
	fmt.Println(ready)
	return nil
}

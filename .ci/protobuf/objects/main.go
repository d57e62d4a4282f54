// Copyright 2026-present the original author or authors.
// SPDX-License-Identifier: Apache-2.0

// Writes random objects of the built-in Kubernetes types in both wire formats to standard output, made by the API's own fuzzers:
//
//	objects SEED COUNT
//
// The number of objects is followed by four strings for each, behind their lengths: API version, kind, JSON and protobuf. Both are of the
// object as the API server has it, which was decoded from protobuf. Numbers have four bytes.
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"sort"
	"strconv"

	"k8s.io/apimachinery/pkg/api/apitesting/fuzzer"
	metafuzzer "k8s.io/apimachinery/pkg/apis/meta/fuzzer"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
)

type message interface {
	runtime.Object
	Marshal() ([]byte, error)
	Unmarshal([]byte) error
}

func main() {
	seed, err := strconv.ParseInt(os.Args[1], 10, 64)
	check(err)
	count, err := strconv.Atoi(os.Args[2])
	check(err)
	var kinds []schema.GroupVersionKind
	for kind, goType := range scheme.Scheme.AllKnownTypes() {
		if meta, found := goType.FieldByName("ObjectMeta"); found && meta.Anonymous && kind.Version != runtime.APIVersionInternal {
			kinds = append(kinds, kind)
		}
	}
	sort.Slice(kinds, func(i, j int) bool { return kinds[i].String() < kinds[j].String() })
	random := fuzzer.FuzzerFor(metafuzzer.Funcs, rand.NewSource(seed), scheme.Codecs)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	check(binary.Write(out, binary.BigEndian, int32(count)))
	for i := 0; i < count; i++ {
		kind := kinds[i%len(kinds)]
		object, err := scheme.Scheme.New(kind)
		check(err)
		random.Fill(object)
		object.(metav1.Object).SetName(fmt.Sprintf("object-%d", i))
		object.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
		first, err := object.(message).Marshal()
		check(err)
		stored, err := scheme.Scheme.New(kind)
		check(err)
		check(stored.(message).Unmarshal(first))
		second, err := stored.(message).Marshal()
		check(err)
		text, err := json.Marshal(stored)
		check(err)
		write(out, []byte(kind.GroupVersion().String()))
		write(out, []byte(kind.Kind))
		write(out, text)
		write(out, second)
	}
}

func write(out *bufio.Writer, bytes []byte) {
	check(binary.Write(out, binary.BigEndian, int32(len(bytes))))
	_, err := out.Write(bytes)
	check(err)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// Copyright 2026-present the original author or authors.
// SPDX-License-Identifier: Apache-2.0

// Writes the protobuf tables of the built-in Kubernetes types to standard output. The tags of the Go types are the definition of both wire
// formats: the JSON name, whether JSON leaves out a zero, and the number and wire type of the protobuf field.
package main

import (
	"bufio"
	"fmt"
	"os"
	"reflect"
	"sort"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
)

// Types that JSON does not write field by field.
var special = map[string]string{
	"k8s.io/apimachinery/pkg/api/resource.Quantity":   "q",
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString": "o",
	"k8s.io/apimachinery/pkg/apis/meta/v1.Time":       "t",
	"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime":  "u",
	"k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1":   "j",
	"k8s.io/apimachinery/pkg/runtime.RawExtension":    "j",
}

type tables struct {
	numbers  map[reflect.Type]int
	messages []reflect.Type
}

func (t *tables) number(message reflect.Type) int {
	if number, known := t.numbers[message]; known {
		return number
	}
	number := len(t.messages)
	t.numbers[message] = number
	t.messages = append(t.messages, message)
	return number
}

func main() {
	all := scheme.Scheme.AllKnownTypes()
	var kinds []schema.GroupVersionKind
	for kind, goType := range all {
		meta, found := goType.FieldByName("ObjectMeta")
		_, protobuf := reflect.New(goType).Interface().(runtime.ProtobufMarshaller)
		if found && meta.Anonymous && protobuf && kind.Version != runtime.APIVersionInternal {
			kinds = append(kinds, kind)
		}
	}
	sort.Slice(kinds, func(i, j int) bool { return name(kinds[i]) < name(kinds[j]) })
	t := &tables{numbers: map[reflect.Type]int{}}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	partial := reflect.TypeOf(metav1.PartialObjectMetadata{})
	fmt.Fprintf(out, "meta.k8s.io/v1 PartialObjectMetadata %d\n", t.number(partial))
	for _, kind := range kinds {
		fmt.Fprintf(out, "%s %d\n", name(kind), t.number(all[kind]))
	}
	fmt.Fprintln(out)
	for i := 0; i < len(t.messages); i++ {
		fmt.Fprintln(out, t.message(t.messages[i]))
	}
}

func name(kind schema.GroupVersionKind) string {
	return kind.GroupVersion().String() + " " + kind.Kind
}

// Returns the fields of a message as one line.
func (t *tables) message(message reflect.Type) string {
	var fields []string
	for i := 0; i < message.NumField(); i++ {
		field := message.Field(i)
		tag := field.Tag.Get("protobuf")
		if tag == "" || tag == "-" {
			if json := field.Tag.Get("json"); json != ",inline" && json != "-" && json != "" && field.IsExported() {
				fmt.Fprintf(os.Stderr, "no protobuf: %s.%s\n", message, field.Name)
			}
			continue
		}
		fields = append(fields, t.field(message, field, tag))
	}
	return strings.Join(fields, " ")
}

// Returns a field as NUMBER KIND [FLAGS] NAME: the kind with the number of its message, '*' for a list and '%' for a map with string keys,
// '?' if JSON leaves out a zero. An inlined message has no name.
func (t *tables) field(message reflect.Type, field reflect.StructField, tag string) string {
	number := strings.Split(tag, ",")[1]
	json := strings.Split(field.Tag.Get("json"), ",")
	options := map[string]bool{}
	for _, option := range json[1:] {
		options[option] = true
	}
	fieldType := field.Type
	pointer := fieldType.Kind() == reflect.Pointer
	if pointer {
		fieldType = fieldType.Elem()
	}
	flags := ""
	if options["omitempty"] && !pointer || options["omitzero"] {
		flags = "?"
	}
	if options["inline"] || json[0] == "" {
		if fieldType.Kind() != reflect.Struct {
			panic(message.String() + "." + field.Name + " is inlined")
		}
		return fmt.Sprintf("%s:i%d:", number, t.number(fieldType))
	}
	if options["omitzero"] {
		fmt.Fprintf(os.Stderr, "omitzero: %s.%s %s\n", message, field.Name, field.Type)
	}
	return number + ":" + t.kind(message.String()+"."+field.Name, fieldType) + flags + ":" + json[0]
}

func (t *tables) kind(where string, goType reflect.Type) string {
	if special, found := special[goType.PkgPath()+"."+goType.Name()]; found {
		return special
	}
	_, isMessage := reflect.New(goType).Interface().(runtime.ProtobufMarshaller)
	switch goType.Kind() {
	case reflect.String:
		return "s"
	case reflect.Bool:
		return "b"
	case reflect.Int32:
		return "n"
	case reflect.Int64:
		return "l"
	case reflect.Float64:
		return "d"
	case reflect.Pointer:
		return t.kind(where, goType.Elem())
	case reflect.Slice:
		if goType.Elem().Kind() == reflect.Uint8 {
			return "y"
		}
		if isMessage {
			return "w" + t.kind(where, goType.Elem())
		}
		return "*" + t.kind(where, goType.Elem())
	case reflect.Map:
		if goType.Key().Kind() != reflect.String {
			panic(where + " has a map with other keys")
		}
		return "%" + t.kind(where, goType.Elem())
	case reflect.Struct:
		return fmt.Sprintf("m%d", t.number(goType))
	}
	panic(where + " has an unknown type " + goType.String())
}

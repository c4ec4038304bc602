//go:build kro0.6 || kro0.7 || kro0.8 || kro0.9.0 || kro0.9.1 || kro0.9.2

package main

import (
	"reflect"
	"unsafe"

	"github.com/kubernetes-sigs/kro/pkg/graph"
)

// newBuilder makes a builder that knows the kinds. These versions have no option for it: their builders ask a server. So the two
// fields that would ask it are set from outside.
func newBuilder(kinds *Kinds) (*graph.Builder, error) {
	builder := &graph.Builder{}
	setField(builder, "schemaResolver", kinds)
	setField(builder, "restMapper", kinds)
	return builder, nil
}

func setField(builder *graph.Builder, name string, value any) {
	field := reflect.ValueOf(builder).Elem().FieldByName(name)
	reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem().Set(reflect.ValueOf(value))
}

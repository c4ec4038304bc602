//go:build !kro0.6 && !kro0.7 && !kro0.8 && !kro0.9.0 && !kro0.9.1 && !kro0.9.2

package main

import (
	krocel "github.com/kubernetes-sigs/kro/pkg/cel"
	"github.com/kubernetes-sigs/kro/pkg/graph"
)

func newBuilder(kinds *Kinds) (*graph.Builder, error) {
	return graph.NewBuilder(nil, nil, graph.WithSchemaResolver(kinds), graph.WithRESTMapper(kinds))
}

func conditionsOf(built *graph.Graph) []*krocel.Expression { return built.Instance.Conditions }

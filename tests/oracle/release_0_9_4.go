//go:build kro0.9.4 || kro0.9.4.dev

package main

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubernetes-sigs/kro/pkg/graph"
	"github.com/kubernetes-sigs/kro/pkg/runtime"
)

type config = graph.Config

func applyOrder(built *graph.Graph) map[string]int { return built.ApplyOrders }

func startPass(built *graph.Graph, instance *unstructured.Unstructured) (*runtime.Runtime, error) {
	return runtime.FromGraph(built, limits, runtime.WithInstance(instance))
}

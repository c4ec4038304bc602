//go:build kro0.9.0 || kro0.9.1 || kro0.9.2 || kro0.9.3

package main

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubernetes-sigs/kro/pkg/graph"
	"github.com/kubernetes-sigs/kro/pkg/runtime"
)

type config = graph.RGDConfig

// applyOrder is not known before 0.9.4.
func applyOrder(*graph.Graph) map[string]int { return nil }

func startPass(built *graph.Graph, instance *unstructured.Unstructured) (*runtime.Runtime, error) {
	return runtime.FromGraph(built, instance, limits)
}

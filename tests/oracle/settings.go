//go:build !kro0.6 && !kro0.7 && !kro0.8

package main

import (
	"github.com/kubernetes-sigs/kro/api/v1alpha1"
	"github.com/kubernetes-sigs/kro/pkg/features"
	"github.com/kubernetes-sigs/kro/pkg/graph"
)

// limits are the defaults of kro's controller.
var limits = config{MaxCollectionSize: 1000, MaxCollectionDimensionSize: 10}

func newGraph(builder *graph.Builder, definition *v1alpha1.ResourceGraphDefinition) (*graph.Graph, error) {
	return builder.NewResourceGraphDefinition(definition, limits)
}

func setFeatureGates(gates string) error { return features.FeatureGate.Set(gates) }

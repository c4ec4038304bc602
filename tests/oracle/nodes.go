//go:build !kro0.6 && !kro0.7

package main

import (
	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/kubernetes-sigs/kro/pkg/graph"
)

func crdOf(built *graph.Graph) *extv1.CustomResourceDefinition { return built.CRD }

func nodeAnswer(built *graph.Graph, id string) NodeAnswer {
	node := built.Nodes[id].Meta
	return NodeAnswer{
		ID:           id,
		Type:         node.Type.String(),
		Resource:     node.GVR.Resource,
		Namespaced:   node.Namespaced,
		Dependencies: sorted(node.Dependencies),
	}
}

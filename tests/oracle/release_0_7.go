//go:build kro0.6 || kro0.7

package main

import (
	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/kubernetes-sigs/kro/pkg/graph"
)

func crdOf(built *graph.Graph) *extv1.CustomResourceDefinition { return built.Instance.GetCRD() }

// nodeAnswer describes a resource: there are no nodes before 0.8.0.
func nodeAnswer(built *graph.Graph, id string) NodeAnswer {
	resource := built.Resources[id]
	kind := "Resource"
	if resource.IsExternalRef() {
		kind = "External"
	}
	return NodeAnswer{
		ID:           id,
		Type:         kind,
		Resource:     resource.GetGroupVersionResource().Resource,
		Namespaced:   resource.IsNamespaced(),
		Dependencies: sorted(resource.GetDependencies()),
	}
}

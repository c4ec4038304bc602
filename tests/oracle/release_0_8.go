//go:build kro0.6 || kro0.7 || kro0.8

package main

import (
	"errors"

	"github.com/kubernetes-sigs/kro/api/v1alpha1"
	"github.com/kubernetes-sigs/kro/pkg/graph"
)

func newGraph(builder *graph.Builder, definition *v1alpha1.ResourceGraphDefinition) (*graph.Graph, error) {
	return builder.NewResourceGraphDefinition(definition)
}

// setFeatureGates takes none: there are no gates before 0.9.0.
func setFeatureGates(gates string) error {
	if gates != "" {
		return errors.New("there are no feature gates before 0.9.0")
	}
	return nil
}

// applyOrder is not known before 0.9.4.
func applyOrder(*graph.Graph) map[string]int { return nil }

// expressionTypes has no answer: kro does not keep the schemas that its expressions were checked with.
func expressionTypes(*graph.Graph) (map[string]string, error) { return nil, nil }

// answerInstance has no answer: nodes say whether they are ready in another way.
func answerInstance(func() (*graph.Graph, error), Case, int) (*RenderAnswer, error) { return nil, nil }

//go:build kro0.10.dev

package main

import (
	"sigs.k8s.io/yaml"

	"github.com/kubernetes-sigs/kro/api/v1alpha1"
	"github.com/kubernetes-sigs/kro/pkg/graph"
	"github.com/kubernetes-sigs/kro/pkg/graphengine/compiler"
)

type config = graph.Config

func applyOrder(built *graph.Graph) map[string]int { return built.ApplyOrders }

// answerInstance has no answer: instances run on a graph engine of their own.
func answerInstance(func() (*graph.Graph, error), Case, int) (*RenderAnswer, error) { return nil, nil }

// answerGraph compiles a Graph.
func answerGraph(question Case, kinds *Kinds) DefinitionAnswer {
	answer := DefinitionAnswer{Name: question.Name}
	var definition v1alpha1.Graph
	err := yaml.UnmarshalStrict([]byte(question.Graph), &definition)
	if err == nil {
		err = withoutPanic(func() error {
			program, compileErr := compiler.NewCompilerWithDependencies(kinds, kinds).Compile(&definition)
			if compileErr == nil {
				answer.Order = program.TopologicalOrder
			}
			return compileErr
		})
	}
	if err != nil {
		answer.Errors = []string{err.Error()}
	}
	answer.Accepted = err == nil
	return answer
}

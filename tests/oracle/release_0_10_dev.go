//go:build kro0.10

package main

import (
	"github.com/kubernetes-sigs/kro/pkg/graph"
	"github.com/kubernetes-sigs/kro/pkg/graph/parser"
)

type config = graph.Config

func applyOrder(built *graph.Graph) map[string]int { return built.ApplyOrders }

// answerInstance has no answer: instances run on a graph engine of their own.
func answerInstance(func() (*graph.Graph, error), Case, int) (*RenderAnswer, error) { return nil, nil }

// answerTexts tells where expressions are in texts.
func answerTexts(texts []string) []TextAnswer {
	answers := make([]TextAnswer, 0, len(texts))
	for _, text := range texts {
		var answer TextAnswer
		fields, _, err := parser.ParseSchemalessResource(map[string]any{"text": text})
		if err != nil {
			answer.Error = err.Error()
		}
		for _, each := range fields {
			answer.Expressions = append(answer.Expressions, each.Expression.Original)
		}
		answer.Standalone, _ = parser.IsStandaloneExpression(text)
		answers = append(answers, answer)
	}
	return answers
}

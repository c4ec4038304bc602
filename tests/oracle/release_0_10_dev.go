//go:build kro0.10.dev

package main

import "github.com/kubernetes-sigs/kro/pkg/graph"

type config = graph.Config

func applyOrder(built *graph.Graph) map[string]int { return built.ApplyOrders }

// answerInstance has no answer: instances run on a graph engine of their own.
func answerInstance(*graph.Graph, Case, int) (*RenderAnswer, error) { return nil, nil }

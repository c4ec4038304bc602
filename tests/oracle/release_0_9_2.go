//go:build kro0.9.0 || kro0.9.1 || kro0.9.2

package main

import (
	krocel "github.com/kubernetes-sigs/kro/pkg/cel"
	"github.com/kubernetes-sigs/kro/pkg/graph"
	"github.com/kubernetes-sigs/kro/pkg/runtime"
)

func conditionsOf(*graph.Graph) []*krocel.Expression { return nil }

func evaluateConditions(*runtime.Node) (any, error) { return nil, nil }

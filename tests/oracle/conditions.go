//go:build kro0.9.3 || kro0.9.4 || kro0.9.4.dev

package main

import (
	"github.com/go-logr/logr"

	"github.com/kubernetes-sigs/kro/pkg/runtime"
)

// evaluateConditions returns the author's conditions, nil where there are none.
func evaluateConditions(instance *runtime.Node) (any, error) {
	conditions, _, err := instance.EvaluateConditions(logr.Discard(), nil)
	if len(conditions) == 0 {
		return nil, err
	}
	return conditions, err
}

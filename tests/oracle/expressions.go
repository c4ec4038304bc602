//go:build kro0.9.4 || kro0.9.4.dev

package main

import (
	"encoding/json"

	"github.com/google/cel-go/cel"
	"k8s.io/apiserver/pkg/cel/openapi"
	"k8s.io/kube-openapi/pkg/validation/spec"

	krocel "github.com/kubernetes-sigs/kro/pkg/cel"
	celunstructured "github.com/kubernetes-sigs/kro/pkg/cel/unstructured"
	"github.com/kubernetes-sigs/kro/pkg/graph"
)

// answerExpressions checks and evaluates expressions as those of a resource that reads the instance: its schema is `spec`.
func answerExpressions(question Case) ([]ExpressionAnswer, error) {
	instance := &spec.Schema{}
	text, err := json.Marshal(question.Spec)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, instance); err != nil {
		return nil, err
	}
	env, err := krocel.TypedEnvironment(map[string]*spec.Schema{graph.SchemaVarName: instance})
	if err != nil {
		return nil, err
	}
	variables := map[string]any{
		graph.SchemaVarName: celunstructured.UnstructuredToVal(question.Instance, &openapi.Schema{Schema: instance}),
	}
	answers := make([]ExpressionAnswer, 0, len(question.Expressions))
	for _, each := range question.Expressions {
		answers = append(answers, answerExpression(env, each, variables))
	}
	return answers, nil
}

func answerExpression(env *cel.Env, text string, variables map[string]any) ExpressionAnswer {
	checked, issues := env.Compile(text)
	if err := issues.Err(); err != nil {
		return ExpressionAnswer{CheckError: err.Error()}
	}
	answer := ExpressionAnswer{Type: checked.OutputType().String()}
	err := withoutPanic(func() error {
		program, err := env.Program(checked)
		if err != nil {
			return err
		}
		value, err := (&krocel.Expression{Original: text, Program: program}).Eval(variables)
		if err != nil {
			return err
		}
		answer.Value, err = json.Marshal(value)
		return err
	})
	if err != nil {
		answer.Error = err.Error()
	}
	return answer
}

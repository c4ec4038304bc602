//go:build !kro0.6 && !kro0.7 && !kro0.8

package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"k8s.io/kube-openapi/pkg/validation/spec"

	krocel "github.com/kubernetes-sigs/kro/pkg/cel"
	"github.com/kubernetes-sigs/kro/pkg/graph"
	"github.com/kubernetes-sigs/kro/pkg/graph/schema"
)

// expressionTypes returns the output type of each expression's text. kro keeps none of them, so the expressions are checked
// once more in the environments that kro checks them in. A text with several types has them all, joined by " | ".
func expressionTypes(built *graph.Graph) (map[string]string, error) {
	variables := map[string]*spec.Schema{graph.SchemaVarName: built.ResourceSchemas[graph.InstanceNodeID]}
	lists := schema.NewCache()
	for id, node := range built.Nodes {
		variables[id] = built.ResourceSchemas[id]
		if node.Meta.Type == graph.NodeTypeCollection || node.Meta.Type == graph.NodeTypeExternalCollection {
			variables[id] = lists.WrapAsList(built.ResourceSchemas[id])
		}
	}
	shared, err := krocel.TypedEnvironment(variables)
	if err != nil {
		return nil, err
	}
	types := typesByText{}
	for id, node := range built.Nodes {
		if err := types.addNode(shared, node, variables, built.ResourceSchemas[id]); err != nil {
			return nil, err
		}
	}
	for _, each := range built.Instance.Variables {
		if _, err := types.add(shared, each.Expression); err != nil {
			return nil, err
		}
	}
	if err := types.addAll(shared, conditionsOf(built)); err != nil {
		return nil, err
	}
	return types.joined(), nil
}

type typesByText map[string]map[string]bool

func (t typesByText) addNode(shared *cel.Env, node *graph.Node, variables map[string]*spec.Schema, item *spec.Schema) error {
	inTemplate, err := shared.Extend()
	if err != nil {
		return err
	}
	for _, each := range node.ForEach {
		list, err := t.add(shared, each.Expression)
		if err != nil {
			return err
		}
		element, err := krocel.ListElementType(list)
		if err != nil {
			return err
		}
		if inTemplate, err = inTemplate.Extend(cel.Variable(each.Name, element)); err != nil {
			return err
		}
	}
	for _, each := range node.Variables {
		if _, err := t.add(inTemplate, each.Expression); err != nil {
			return err
		}
	}
	if err := t.addAll(shared, node.IncludeWhen); err != nil {
		return err
	}
	inReadyWhen := shared
	if node.Meta.Type == graph.NodeTypeCollection && len(node.ReadyWhen) > 0 {
		withEach := maps.Clone(variables)
		withEach[graph.EachVarName] = item
		if inReadyWhen, err = krocel.TypedEnvironment(withEach); err != nil {
			return err
		}
	}
	return t.addAll(inReadyWhen, node.ReadyWhen)
}

func (t typesByText) addAll(env *cel.Env, expressions []*krocel.Expression) error {
	for _, each := range expressions {
		if _, err := t.add(env, each); err != nil {
			return err
		}
	}
	return nil
}

func (t typesByText) add(env *cel.Env, expression *krocel.Expression) (*cel.Type, error) {
	checked, issues := env.Compile(expression.Original)
	if err := issues.Err(); err != nil {
		return nil, err
	}
	if t[expression.Original] == nil {
		t[expression.Original] = map[string]bool{}
	}
	t[expression.Original][checked.OutputType().String()] = true
	return checked.OutputType(), nil
}

func (t typesByText) joined() map[string]string {
	joined := make(map[string]string, len(t))
	for text, types := range t {
		joined[text] = strings.Join(slices.Sorted(maps.Keys(types)), " | ")
	}
	return joined
}

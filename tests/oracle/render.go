//go:build !kro0.10 && !kro0.6 && !kro0.7 && !kro0.8

package main

import (
	"encoding/json"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubernetes-sigs/kro/pkg/graph"
	"github.com/kubernetes-sigs/kro/pkg/runtime"
)

// answerInstance renders in as many graphs as it repeats: the order of a node's expressions is decided when a graph is built.
func answerInstance(build func() (*graph.Graph, error), question Case, repeat int) (*RenderAnswer, error) {
	built, err := build()
	if err != nil {
		return nil, err
	}
	instance := copyJSON(question.Instance)
	crd, err := received(built.CRD)
	if err != nil {
		return nil, err
	}
	admitter, err := newAdmitter(crd, crd.Spec.Versions[0].Name)
	if err != nil {
		return nil, err
	}
	admission, err := admitter.admit(instance)
	if err != nil {
		return nil, err
	}
	answer := &RenderAnswer{Instance: instance, InstanceErrors: admission.Errors, UnknownFields: admission.UnknownFields}
	if len(answer.InstanceErrors) > 0 {
		return answer, nil
	}
	for number := range repeat {
		if number > 0 {
			if built, err = build(); err != nil {
				return nil, err
			}
		}
		pass := &RenderAnswer{Instance: instance, UnknownFields: admission.UnknownFields}
		if err := withoutPanic(func() error { return pass.render(built, question.Observed) }); err != nil {
			return nil, err
		}
		if answer.Nodes == nil {
			answer = pass
		} else if err := answer.join(pass); err != nil {
			return nil, err
		}
	}
	return answer, nil
}

func (a *RenderAnswer) render(built *graph.Graph, observed map[string][]map[string]any) error {
	instance := &unstructured.Unstructured{Object: copyJSON(a.Instance)}
	pass, err := startPass(built, instance)
	if err != nil {
		return err
	}
	a.Nodes = []RenderedNode{}
	rendered := map[int]*runtime.Node{}
	for index, node := range pass.Nodes() {
		result := renderNode(node, observed[node.Spec.Meta.ID])
		if result.State == "rendered" {
			rendered[index] = node
		}
		a.Nodes = append(a.Nodes, result)
	}
	for index, node := range rendered {
		a.Nodes[index].Ready = "ready"
		if err := node.CheckReadiness(); err != nil {
			a.Nodes[index].Ready = []string{err.Error()}
		}
	}
	if a.Conditions, err = evaluateConditions(pass.Instance()); err != nil {
		a.ConditionError = err.Error()
	}
	status, err := pass.Instance().GetDesired()
	if err != nil {
		a.StatusError = err.Error()
		return nil
	}
	a.Status = status[0].Object["status"]
	return nil
}

func renderNode(node *runtime.Node, observed []map[string]any) RenderedNode {
	result := RenderedNode{ID: node.Spec.Meta.ID, State: "rendered"}
	ignored, err := node.IsIgnored()
	if err == nil && ignored {
		result.State = "ignored"
		return result
	}
	var desired []*unstructured.Unstructured
	if err == nil {
		desired, err = node.GetDesired()
	}
	if err != nil {
		result.State = "error"
		if runtime.IsDataPending(err) {
			result.State = "pending"
		}
		result.Errors = []string{err.Error()}
		return result
	}
	for _, each := range desired {
		// Where an external reference has no selector kro 0.9.4 writes a null, which nothing reads.
		if selector, found, _ := unstructured.NestedFieldNoCopy(each.Object, "metadata", "selector"); found && selector == nil {
			unstructured.RemoveNestedField(each.Object, "metadata", "selector")
		}
		result.Desired = append(result.Desired, copyJSON(each.Object))
	}
	if found := observedObjects(node.Spec.Meta.Type, desired, observed); found != nil {
		node.SetObserved(found)
	}
	return result
}

// observedObjects returns the objects that the cluster has: what is said to be observed, merged onto the desired objects in order;
// of an external reference just what is said. It is nil where nothing was found.
func observedObjects(nodeType graph.NodeType, desired []*unstructured.Unstructured, observed []map[string]any) []*unstructured.Unstructured {
	objects := []*unstructured.Unstructured{}
	switch nodeType {
	case graph.NodeTypeExternal, graph.NodeTypeExternalCollection:
		for _, each := range observed {
			objects = append(objects, &unstructured.Unstructured{Object: copyJSON(each)})
		}
		if nodeType == graph.NodeTypeExternal && len(objects) == 0 {
			return nil
		}
	default:
		for index, each := range desired {
			object := copyJSON(each.Object)
			if index < len(observed) {
				object = merge(object, copyJSON(observed[index]))
			}
			objects = append(objects, &unstructured.Unstructured{Object: object})
		}
	}
	return objects
}

// join adds what another pass gave. Texts of errors are collected; where anything else differs the answer varies.
func (a *RenderAnswer) join(other *RenderAnswer) error {
	mine, err := a.comparable()
	if err != nil {
		return err
	}
	others, err := other.comparable()
	if err != nil {
		return err
	}
	a.Varies = a.Varies || mine != others
	for index := range a.Nodes {
		node, same := &a.Nodes[index], other.Nodes[index]
		node.Errors = union(node.Errors, same.Errors)
		reasons, isList := node.Ready.([]string)
		if more, ok := same.Ready.([]string); ok && isList {
			node.Ready = union(reasons, more)
		}
	}
	return nil
}

func (a *RenderAnswer) comparable() (string, error) {
	plain := *a
	plain.Varies, plain.StatusError, plain.ConditionError = false, "", ""
	plain.Nodes = slices.Clone(a.Nodes)
	for index := range plain.Nodes {
		plain.Nodes[index].Errors = nil
		if _, isList := plain.Nodes[index].Ready.([]string); isList {
			plain.Nodes[index].Ready = "not ready"
		}
	}
	text, err := json.Marshal(plain)
	return string(text), err
}

func union(some, others []string) []string {
	if len(some)+len(others) == 0 {
		return nil
	}
	all := map[string]bool{}
	for _, each := range append(slices.Clone(some), others...) {
		all[each] = true
	}
	return slices.Sorted(maps.Keys(all))
}

package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"

	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubernetes-sigs/kro/api/v1alpha1"
	"github.com/kubernetes-sigs/kro/pkg/graph"
	"github.com/kubernetes-sigs/kro/pkg/simpleschema"
)

func answerSimpleSchema(question Case, repeat int) SchemaAnswer {
	answer := SchemaAnswer{Name: question.Name}
	answer.Errors = distinctErrors(repeat, func() error {
		schema, err := simpleschema.ToOpenAPISpec(copyJSON(question.Spec), copyJSON(question.Types))
		if err == nil {
			answer.Schema, err = json.Marshal(schema)
		}
		return err
	})
	return answer
}

func answerDefinition(question Case, kinds *Kinds, repeat int) DefinitionAnswer {
	answer := DefinitionAnswer{Name: question.Name}
	object, err := findDefinition(question.RGD)
	if err != nil {
		answer.Errors = []string{err.Error()}
		return answer
	}
	if err := answer.admit(object, kinds); err != nil {
		answer.Errors = []string{err.Error()}
		return answer
	}
	var built *graph.Graph
	answer.Errors = distinctErrors(repeat, func() (err error) {
		built, err = build(object, kinds)
		return err
	})
	answer.Accepted = len(answer.Errors)+len(answer.AdmissionErrors)+len(answer.UnknownFields) == 0
	if !answer.Accepted {
		return answer
	}
	if err := answer.describe(built); err != nil {
		answer.Errors = []string{"oracle: " + err.Error()}
		return answer
	}
	if question.Instance != nil {
		answer.Expected, err = answerInstance(func() (*graph.Graph, error) { return build(object, kinds) }, question, repeat)
		if err != nil {
			answer.Errors = []string{"oracle: " + err.Error()}
		}
	}
	return answer
}

// findDefinition returns the first ResourceGraphDefinition of a file.
func findDefinition(text string) (map[string]any, error) {
	documents, err := streamObjects(text)
	if err != nil {
		return nil, err
	}
	for _, each := range documents {
		if each["kind"] == "ResourceGraphDefinition" {
			return each, nil
		}
	}
	return nil, fmt.Errorf("there is no ResourceGraphDefinition")
}

// admit asks the API server, which knows kro's own definitions as any other.
func (a *DefinitionAnswer) admit(object map[string]any, kinds *Kinds) error {
	if object["apiVersion"] != v1alpha1.GroupVersion.String() {
		a.AdmissionErrors = []string{fmt.Sprintf("no matches for kind %q in version %q", object["kind"], object["apiVersion"])}
		return nil
	}
	definitions, err := kinds.admitter("ResourceGraphDefinition")
	if err != nil {
		return err
	}
	found, err := definitions.admit(object)
	a.AdmissionErrors, a.UnknownFields = found.Errors, found.UnknownFields
	return err
}

func build(object map[string]any, kinds *Kinds) (*graph.Graph, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	definition := &v1alpha1.ResourceGraphDefinition{}
	if err := decode(text, definition); err != nil {
		return nil, err
	}
	builder, err := kinds.builder()
	if err != nil {
		return nil, err
	}
	return newGraph(builder, definition)
}

// received returns a CRD as the API server has it once kro sent it: what JSON makes of it, with defaults.
func received(crd *extv1.CustomResourceDefinition) (*extv1.CustomResourceDefinition, error) {
	text, err := json.Marshal(crd)
	if err != nil {
		return nil, err
	}
	copied := &extv1.CustomResourceDefinition{}
	if err := json.Unmarshal(text, copied); err != nil {
		return nil, err
	}
	setDefaults(copied)
	return copied, nil
}

func (a *DefinitionAnswer) describe(built *graph.Graph) error {
	a.Order = built.TopologicalOrder
	a.ApplyOrder = applyOrder(built)
	for _, id := range built.TopologicalOrder {
		a.Nodes = append(a.Nodes, nodeAnswer(built, id))
	}
	var err error
	if a.ExpressionTypes, err = expressionTypes(built); err != nil {
		return err
	}
	crd, err := received(crdOf(built))
	if err != nil {
		// A default may be no JSON, and kro finds out when it sends the CRD.
		a.CRDErrors = []string{err.Error()}
		return nil
	}
	if a.CRD, err = plainCRD(crdOf(built)); err != nil {
		return err
	}
	a.CRDErrors, err = refusals(crd)
	return err
}

func plainCRD(crd *extv1.CustomResourceDefinition) (map[string]any, error) {
	object, err := runtime.DefaultUnstructuredConverter.ToUnstructured(crd)
	if err != nil {
		return nil, err
	}
	metadata := map[string]any{"name": crd.Name}
	for name, value := range map[string]map[string]string{"labels": crd.Labels, "annotations": crd.Annotations} {
		if len(value) > 0 {
			metadata[name] = value
		}
	}
	return map[string]any{"metadata": metadata, "spec": object["spec"]}, nil
}

// distinctErrors asks until nothing new was heard that many times in a row, and returns the different errors, sorted. Which of
// several faults kro reports depends on the order in which Go walks through maps. What is accepted once is accepted always.
func distinctErrors(repeat int, ask func() error) []string {
	found := map[string]bool{}
	for unchanged := 0; unchanged < repeat; unchanged++ {
		text := "accepted"
		if err := withoutPanic(ask); err != nil {
			text = err.Error()
		} else if len(found) == 0 {
			return nil
		}
		if !found[text] {
			found[text], unchanged = true, 0
		}
	}
	texts := make([]string, 0, len(found))
	for text := range found {
		texts = append(texts, text)
	}
	sort.Strings(texts)
	return texts
}

func withoutPanic(work func() error) (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("panic: %v", reason)
		}
	}()
	return work()
}

func sorted(texts []string) []string {
	copied := append([]string{}, texts...)
	slices.Sort(copied)
	return copied
}

func copyJSON(value map[string]any) map[string]any { return runtime.DeepCopyJSON(value) }

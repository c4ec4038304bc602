package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
)

// StreamAnswer is what kubectl makes of a file: its objects, by kind and name, up to what it cannot read.
type StreamAnswer struct {
	Name    string      `json:"name,omitempty"`
	Objects [][2]string `json:"objects"`
	Errors  []string    `json:"errors,omitempty"`
}

func answerStream(question Case) StreamAnswer {
	answer := StreamAnswer{Name: question.Name, Objects: [][2]string{}}
	found, err := streamObjects(question.Stream)
	if err != nil {
		answer.Errors = []string{err.Error()}
	}
	for _, each := range found {
		object := unstructured.Unstructured{Object: each}
		answer.Objects = append(answer.Objects, [2]string{object.GetKind(), object.GetName()})
	}
	return answer
}

// streamObjects reads the objects of a file as kubectl does (k8s.io/cli-runtime pkg/resource, StreamVisitor and FlattenListVisitor):
// those of lists one by one, and those before an error as well.
func streamObjects(text string) ([]map[string]any, error) {
	var found []map[string]any
	decoder := utilyaml.NewYAMLOrJSONDecoder(strings.NewReader(text), 4096)
	for {
		var document runtime.RawExtension
		if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
			return found, nil
		} else if err != nil {
			return found, fmt.Errorf("error parsing: %w", err)
		}
		content := bytes.TrimSpace(document.Raw)
		if len(content) == 0 || bytes.Equal(content, []byte("null")) {
			continue
		}
		object, _, err := unstructured.UnstructuredJSONScheme.Decode(content, nil, nil)
		if err != nil {
			return found, err
		}
		switch object := object.(type) {
		case *unstructured.UnstructuredList:
			for _, item := range object.Items {
				found = append(found, item.Object)
			}
		case *unstructured.Unstructured:
			found = append(found, object.Object)
		}
	}
}

// answerYAML reads the first document of each text.
func answerYAML(texts []string) []YAMLAnswer {
	answers := make([]YAMLAnswer, 0, len(texts))
	for _, each := range texts {
		var document runtime.RawExtension
		answer := YAMLAnswer{}
		if err := utilyaml.NewYAMLOrJSONDecoder(strings.NewReader(each), 4096).Decode(&document); errors.Is(err, io.EOF) {
			answer.JSON = []byte("null")
		} else if err != nil {
			answer.Error = err.Error()
		} else {
			answer.JSON = document.Raw
		}
		answers = append(answers, answer)
	}
	return answers
}

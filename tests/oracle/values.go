package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// decode reads JSON as Kubernetes does: a number without a fraction is an int64.
func decode(content []byte, into any) error { return utiljson.Unmarshal(content, into) }

// yamlDocuments reads the objects of a YAML file as kubectl does: of a key given twice the last value counts.
func yamlDocuments(content []byte) ([]map[string]any, error) {
	var found []map[string]any
	reader := utilyaml.NewDocumentDecoder(io.NopCloser(bytes.NewReader(content)))
	buffer := make([]byte, len(content)+1)
	for {
		length, err := reader.Read(buffer)
		if errors.Is(err, io.EOF) {
			return found, nil
		} else if err != nil {
			return nil, err
		}
		text, err := yaml.YAMLToJSON(buffer[:length])
		if err != nil {
			return nil, fmt.Errorf("error converting YAML to JSON: %w", err)
		}
		var document any
		if err := decode(text, &document); err != nil {
			return nil, err
		}
		if object, ok := document.(map[string]any); ok {
			found = append(found, object)
		} else if document != nil {
			return nil, fmt.Errorf("a document is a %T, not an object", document)
		}
	}
}

// merge returns a copy of base with the fields of changes in it; anything but objects is replaced as a whole.
func merge(base, changes map[string]any) map[string]any {
	merged := make(map[string]any, len(base)+len(changes))
	for name, value := range base {
		merged[name] = value
	}
	for name, value := range changes {
		inner, isObject := value.(map[string]any)
		if old, ok := merged[name].(map[string]any); ok && isObject {
			merged[name] = merge(old, inner)
		} else {
			merged[name] = value
		}
	}
	return merged
}

package main

import utiljson "k8s.io/apimachinery/pkg/util/json"

// decode reads JSON as Kubernetes does: a number without a fraction is an int64.
func decode(content []byte, into any) error { return utiljson.Unmarshal(content, into) }

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

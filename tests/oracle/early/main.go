// Answers for kro 0.7.1: SimpleSchemas come in, their OpenAPI schemas or errors go out, a JSON object on each line. Its API has
// little in common with later ones, so this is a program of its own; test_early_versions.py builds it beside kro's sources.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/kubernetes-sigs/kro/pkg/simpleschema"
)

func main() {
	decoder := json.NewDecoder(os.Stdin)
	for decoder.More() {
		var question struct{ Spec, Types map[string]any }
		if err := decoder.Decode(&question); err != nil {
			panic(err)
		}
		schema, err := simpleschema.ToOpenAPISpec(question.Spec, question.Types)
		answer := map[string]any{"schema": schema}
		if err != nil {
			answer = map[string]any{"error": err.Error()}
		}
		text, _ := json.Marshal(answer)
		fmt.Println(string(text))
	}
}

//go:build !kro0.10.dev

package main

// answerGraph refuses: the kind came with 0.10.
func answerGraph(question Case, _ *Kinds) DefinitionAnswer {
	return DefinitionAnswer{Name: question.Name, Errors: []string{"this version has no kind Graph"}}
}

//go:build !kro0.10

package main

// answerGraph refuses: the kind came with 0.10.
func answerGraph(question Case, _ *Kinds) GraphAnswer {
	return GraphAnswer{Name: question.Name, Errors: []string{"this version has no kind Graph"}}
}

// answerTexts has no answers: only the scan of 0.10 is asked for.
func answerTexts([]string) []TextAnswer { return nil }

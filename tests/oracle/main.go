// The oracle answers for kro: it reads cases, a JSON object on each line of standard input, and writes what kro's own code makes of
// each, a JSON object on each line of standard output, in the same order. README.md describes both.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
)

// Case is one question: a definition, perhaps with an instance of it, a SimpleSchema, or a file.
type Case struct {
	Name     string                      `json:"name,omitempty"`
	RGD      string                      `json:"rgd,omitempty"`
	Graph    string                      `json:"graph,omitempty"`
	Stream   string                      `json:"stream,omitempty"`
	CRDs     []map[string]any            `json:"crds,omitempty"`
	Instance map[string]any              `json:"instance,omitempty"`
	Observed map[string][]map[string]any `json:"observed,omitempty"`
	Cluster  []map[string]any            `json:"cluster,omitempty"`
	Texts    []string                    `json:"texts,omitempty"`
	YAML     []string                    `json:"yaml,omitempty"`
	Spec     map[string]any              `json:"spec,omitempty"`
	Types    map[string]any              `json:"types,omitempty"`

	Expressions []string `json:"expressions,omitempty"`
}

type paths []string

func (p *paths) String() string { return fmt.Sprint(*p) }

func (p *paths) Set(path string) error {
	*p = append(*p, path)
	return nil
}

func main() {
	var crds paths
	flag.Var(&crds, "crds", "a YAML file or a folder of CustomResourceDefinitions that the cluster has (may be repeated)")
	kindsFile := flag.String("kinds", "", "the file of Kubernetes' own kinds that kinds.py writes")
	repeat := flag.Int("repeat", 1, "ask kro until it says nothing new this many times; its answer may depend on Go's order of maps")
	gates := flag.String("feature-gates", "", "kro's feature gates, such as CELOmitFunction=true")
	flag.Parse()
	if err := run(os.Stdin, os.Stdout, *kindsFile, crds, *repeat, *gates); err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer, kindsFile string, crds []string, repeat int, gates string) error {
	if err := setFeatureGates(gates); err != nil {
		return err
	}
	kinds, err := readKinds(kindsFile)
	if err != nil {
		return err
	}
	installed, err := readCRDs(crds)
	if err != nil {
		return err
	}
	if kinds, err = kinds.with(installed); err != nil {
		return err
	}
	buffered := bufio.NewWriter(out)
	defer buffered.Flush()
	encoder := json.NewEncoder(buffered)
	encoder.SetEscapeHTML(false)
	reader := bufio.NewReader(in)
	for number := 1; ; number++ {
		line, readErr := reader.ReadBytes('\n')
		if len(line) > 1 {
			answer, err := answerLine(line, kinds, max(repeat, 1))
			if err != nil {
				return fmt.Errorf("line %d: %w", number, err)
			}
			if err := encoder.Encode(answer); err != nil {
				return err
			}
			// Whoever asks one question at a time waits for the answer.
			if err := buffered.Flush(); err != nil {
				return err
			}
		}
		if readErr == io.EOF {
			return nil
		} else if readErr != nil {
			return readErr
		}
	}
}

func answerLine(line []byte, kinds *Kinds, repeat int) (any, error) {
	var question Case
	if err := decode(line, &question); err != nil {
		return nil, err
	}
	if question.Expressions != nil {
		return answerExpressions(question)
	}
	if question.YAML != nil {
		return answerYAML(question.YAML), nil
	}
	if question.Spec != nil {
		return answerSimpleSchema(question, repeat), nil
	}
	if question.Stream != "" {
		return answerStream(question), nil
	}
	if len(question.CRDs) > 0 {
		crds, err := toCRDs(question.CRDs)
		if err != nil {
			return nil, err
		}
		if kinds, err = kinds.with(crds); err != nil {
			return nil, err
		}
	}
	if question.Texts != nil {
		return answerTexts(question.Texts), nil
	}
	if question.Graph != "" {
		return answerGraph(question, kinds), nil
	}
	return answerDefinition(question, kinds, repeat), nil
}

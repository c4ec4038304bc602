//go:build kro0.10

package main

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/google/cel-go/common/types/ref"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"

	"github.com/kubernetes-sigs/kro/api/v1alpha1"
	"github.com/kubernetes-sigs/kro/pkg/cel/conversion"
	"github.com/kubernetes-sigs/kro/pkg/graphengine/compiler"
	"github.com/kubernetes-sigs/kro/pkg/graphengine/executor"
	"github.com/kubernetes-sigs/kro/pkg/graphengine/runtime"
	"github.com/kubernetes-sigs/kro/pkg/graphengine/watchrouter"
)

// graphUID is that of every Graph here; names of field managers are made of it.
const graphUID = types.UID("11111111-1111-1111-1111-111111111111")

// answerGraph compiles a Graph, and makes one pass over it in an imagined cluster.
func answerGraph(question Case, kinds *Kinds) GraphAnswer {
	answer := GraphAnswer{Name: question.Name}
	definition, err := answer.admitGraph(question.Graph, kinds)
	if err != nil || len(answer.AdmissionErrors)+len(answer.UnknownFields) > 0 {
		if err != nil {
			answer.Errors = []string{err.Error()}
		}
		return answer
	}
	var program *compiler.Program
	answer.Errors = distinctErrors(5, func() (err error) {
		program, err = compiler.NewCompilerWithDependencies(kinds, kinds).Compile(definition)
		return err
	})
	if len(answer.Errors) > 0 {
		return answer
	}
	answer.Accepted = true
	answer.Frames = map[string]FrameAnswer{}
	answer.describe("", program)
	if question.Cluster != nil {
		definition.UID = graphUID
		if definition.Namespace == "" {
			definition.Namespace = "default"
		}
		if err := withoutPanic(func() error { return answer.run(question, definition, program, kinds) }); err != nil {
			answer.Errors = []string{"oracle: " + err.Error()}
		}
	}
	return answer
}

// admitGraph asks the API server, and reads the Graph as kro's client does.
func (a *GraphAnswer) admitGraph(text string, kinds *Kinds) (*v1alpha1.Graph, error) {
	object := map[string]any{}
	content, err := yaml.YAMLToJSONStrict([]byte(text))
	if err != nil {
		return nil, err
	}
	if err := decode(content, &object); err != nil {
		return nil, err
	}
	graphs, err := kinds.admitter("Graph")
	if err != nil {
		return nil, err
	}
	found, err := graphs.admit(object)
	if err != nil {
		return nil, err
	}
	a.AdmissionErrors, a.UnknownFields = found.Errors, found.UnknownFields
	if content, err = json.Marshal(object); err != nil {
		return nil, err
	}
	definition := &v1alpha1.Graph{}
	return definition, json.Unmarshal(content, definition)
}

func (a *GraphAnswer) describe(path string, program *compiler.Program) {
	frame := FrameAnswer{Order: program.TopologicalOrder, Dependencies: map[string][]string{}}
	for id, node := range program.Nodes {
		frame.Dependencies[id] = sorted(node.HardDepIDs())
		if node.SubProgram != nil {
			a.describe(path+id+"/", node.SubProgram)
		}
	}
	a.Frames[path] = frame
}

// run makes one pass. What is not known of the nodes of child graphs is left out.
func (a *GraphAnswer) run(question Case, definition *v1alpha1.Graph, program *compiler.Program, kinds *Kinds) error {
	cluster := newImaginedCluster(kinds, question)
	running := runtime.New(program, definition)
	apply := executor.NewSimple(cluster).WithConflictDetection(true)
	result, err := apply.Apply(context.Background(), running, watchrouter.NoopWatcher{})
	pass := &PassAnswer{Applied: cluster.applied, Patched: cluster.patched, Unresolved: sorted(result.Unresolved), Values: map[string]any{}}
	a.Pass = pass
	if err != nil {
		pass.Error = err.Error()
		pass.Reason = "ApplyFailed"
		if errors.Is(err, executor.ErrNotReady) {
			pass.Reason = "WaitingForReadiness"
			if errors.Is(err, runtime.ErrDataPending) {
				pass.Reason = "DataPending"
			}
		}
	}
	for _, node := range running.Nodes() {
		if ignored, err := node.IsIgnored(); err == nil && ignored {
			pass.Ignored = append(pass.Ignored, node.ID())
		}
	}
	pass.addValues("", program, running.Scope())
	return nil
}

// addValues keeps what def nodes are. Objects that were applied or read are told elsewhere.
func (p *PassAnswer) addValues(path string, program *compiler.Program, scope map[string]any) {
	for _, id := range slices.Sorted(maps.Keys(program.Nodes)) {
		value, known := scope[id]
		if !known {
			continue
		}
		node := program.Nodes[id]
		switch node.Kind {
		case compiler.NodeKindDef:
			p.Values[path+id] = value
		case compiler.NodeKindGraph:
			if child, ok := value.(map[string]any); ok {
				p.addValues(path+id+"/", node.SubProgram, child)
			}
		case compiler.NodeKindRef:
			p.Values[path+id] = plain(value)
		}
	}
}

func plain(value any) any {
	if list, ok := value.([]any); ok {
		found := make([]any, len(list))
		for index, each := range list {
			found[index] = plain(each)
		}
		return found
	}
	if wrapped, ok := value.(ref.Val); ok {
		if native, err := conversion.GoNativeType(wrapped); err == nil {
			return native
		}
		return "unreadable"
	}
	return value
}

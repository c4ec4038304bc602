package main

import "encoding/json"

// DefinitionAnswer is what kro and the API server make of a ResourceGraphDefinition.
type DefinitionAnswer struct {
	Name            string            `json:"name,omitempty"`
	Accepted        bool              `json:"accepted"`
	AdmissionErrors []string          `json:"admissionErrors,omitempty"`
	UnknownFields   []string          `json:"unknownFields,omitempty"`
	Errors          []string          `json:"errors,omitempty"`
	Order           []string          `json:"topologicalOrder,omitempty"`
	ApplyOrder      map[string]int    `json:"applyOrder,omitempty"`
	Nodes           []NodeAnswer      `json:"nodes,omitempty"`
	ExpressionTypes map[string]string `json:"expressionTypes,omitempty"`
	CRD             map[string]any    `json:"crd,omitempty"`
	CRDErrors       []string          `json:"crdErrors,omitempty"`
	Expected        *RenderAnswer     `json:"expected,omitempty"`
}

// NodeAnswer is a resource of the definition, in topological order.
type NodeAnswer struct {
	ID           string   `json:"id"`
	Type         string   `json:"type"`
	Resource     string   `json:"resource"`
	Namespaced   bool     `json:"namespaced"`
	Dependencies []string `json:"dependencies"`
}

// SchemaAnswer is the OpenAPI schema that kro makes of a SimpleSchema, or its error.
type SchemaAnswer struct {
	Name   string          `json:"name,omitempty"`
	Schema json.RawMessage `json:"schema,omitempty"`
	Errors []string        `json:"errors,omitempty"`
}

// RenderAnswer is what becomes of an instance in one pass, if the cluster has every object as soon as it is rendered.
type RenderAnswer struct {
	Instance       map[string]any `json:"instance"`
	InstanceErrors []string       `json:"instanceErrors,omitempty"`
	UnknownFields  []string       `json:"unknownFields,omitempty"`
	Nodes          []RenderedNode `json:"nodes,omitempty"`
	Status         any            `json:"status,omitempty"`
	StatusError    string         `json:"statusError,omitempty"`
	Conditions     any            `json:"conditions,omitempty"`
	ConditionError string         `json:"conditionError,omitempty"`
	Varies         bool           `json:"varies,omitempty"`
}

// RenderedNode is how far a node came: its objects and whether they are ready, or why there are none.
type RenderedNode struct {
	ID      string           `json:"id"`
	State   string           `json:"state"`
	Desired []map[string]any `json:"desired,omitempty"`
	Ready   any              `json:"ready,omitempty"`
	Errors  []string         `json:"errors,omitempty"`
}

// GraphAnswer is what kro and the API server make of a Graph. Frames are its nodes and those of its child graphs, by the path
// that leads to a child graph (`g/`, `g/inner/`; empty for the Graph itself).
type GraphAnswer struct {
	Name            string                 `json:"name,omitempty"`
	Accepted        bool                   `json:"accepted"`
	AdmissionErrors []string               `json:"admissionErrors,omitempty"`
	UnknownFields   []string               `json:"unknownFields,omitempty"`
	Errors          []string               `json:"errors,omitempty"`
	Frames          map[string]FrameAnswer `json:"frames,omitempty"`
	Pass            *PassAnswer            `json:"pass,omitempty"`
}

// FrameAnswer is the order of the nodes of a Graph or a child graph.
type FrameAnswer struct {
	Order        []string            `json:"topologicalOrder"`
	Dependencies map[string][]string `json:"dependencies"`
}

// PassAnswer is what becomes of a Graph in one pass. Reason and Error are those of the condition ResourcesConverged.
type PassAnswer struct {
	Applied    []AppliedObject  `json:"applied"`
	Patched    []map[string]any `json:"patched"`
	Values     map[string]any   `json:"values"`
	Ignored    []string         `json:"ignored"`
	Unresolved []string         `json:"unresolved"`
	Reason     string           `json:"reason,omitempty"`
	Error      string           `json:"error,omitempty"`
}

// AppliedObject is an object as kro sends it, with its place among those of its node.
type AppliedObject struct {
	Node   string         `json:"node"`
	Index  int            `json:"index"`
	Object map[string]any `json:"object"`
}

// TextAnswer tells where expressions are in a text.
type TextAnswer struct {
	Expressions []string `json:"expressions,omitempty"`
	Standalone  bool     `json:"standalone,omitempty"`
	Error       string   `json:"error,omitempty"`
}

// ExpressionAnswer is the type and the value of an expression, or why it has none.
type ExpressionAnswer struct {
	CheckError string          `json:"checkError,omitempty"`
	Type       string          `json:"type,omitempty"`
	Value      json.RawMessage `json:"value,omitempty"`
	Error      string          `json:"error,omitempty"`
}

// YAMLAnswer is what kubectl reads in the first document of a file, as JSON, or why it cannot read it.
type YAMLAnswer struct {
	JSON  json.RawMessage `json:"json,omitempty"`
	Error string          `json:"error,omitempty"`
}

//go:build kro0.8.5 || kro0.9.0 || kro0.9.1 || kro0.9.2

package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/kube-openapi/pkg/validation/spec"

	krocel "github.com/kubernetes-sigs/kro/pkg/cel"
	"github.com/kubernetes-sigs/kro/pkg/graph"
	"github.com/kubernetes-sigs/kro/pkg/runtime"
)

func conditionsOf(*graph.Graph) []*krocel.Expression { return nil }

func evaluateConditions(*runtime.Node) (any, error) { return nil, nil }

// newBuilder makes a builder that asks a server, which is one in name only: no connection is opened.
func newBuilder(kinds *Kinds) (*graph.Builder, error) {
	client := &http.Client{Transport: &server{kinds: kinds}}
	return graph.NewBuilder(&rest.Config{Host: "http://cluster.invalid"}, client)
}

// server answers what discovery and the resolver of schemas ask an API server, and keeps its answers by path.
type server struct {
	kinds   *Kinds
	answers sync.Map
}

func (s *server) RoundTrip(request *http.Request) (*http.Response, error) {
	path := strings.Trim(request.URL.Path, "/")
	kept, ok := s.answers.Load(path)
	if !ok {
		content, err := json.Marshal(s.answer(path))
		if err != nil {
			return nil, err
		}
		kept = content
		s.answers.Store(path, kept)
	}
	content, status := kept.([]byte), http.StatusOK
	if string(content) == "null" {
		status, content = http.StatusNotFound, []byte(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404}`)
	}
	return &http.Response{
		StatusCode: status,
		Header:     http.Header{"Content-Type": {"application/json"}},
		Body:       io.NopCloser(bytes.NewReader(content)),
		Request:    request,
	}, nil
}

func (s *server) answer(path string) any {
	if document, ok := strings.CutPrefix(path, "openapi/v3"); ok {
		return s.openAPI(strings.Trim(document, "/"))
	}
	switch path {
	case "api":
		return metav1.APIVersions{Versions: []string{"v1"}}
	case "apis":
		return s.groups()
	}
	return s.resources(path)
}

func pathOf(gv schema.GroupVersion) string {
	if gv.Group == "" {
		return "api/" + gv.Version
	}
	return "apis/" + gv.String()
}

func (s *server) groups() any {
	versions := map[string]map[string]bool{}
	for gvk := range s.kinds.entries {
		if gvk.Group != "" && versions[gvk.Group] == nil {
			versions[gvk.Group] = map[string]bool{}
		}
		if gvk.Group != "" {
			versions[gvk.Group][gvk.Version] = true
		}
	}
	list := metav1.APIGroupList{}
	for group, names := range versions {
		entry := metav1.APIGroup{Name: group}
		for name := range names {
			gv := schema.GroupVersion{Group: group, Version: name}
			entry.Versions = append(entry.Versions, metav1.GroupVersionForDiscovery{GroupVersion: gv.String(), Version: name})
		}
		entry.PreferredVersion = entry.Versions[0]
		list.Groups = append(list.Groups, entry)
	}
	return list
}

func (s *server) resources(path string) any {
	list := metav1.APIResourceList{}
	for gvk, each := range s.kinds.entries {
		if gv := gvk.GroupVersion(); pathOf(gv) == path {
			list.GroupVersion = gv.String()
			list.APIResources = append(list.APIResources, metav1.APIResource{Name: each.plural, Kind: gvk.Kind, Namespaced: each.namespaced})
		}
	}
	if list.GroupVersion == "" {
		return nil
	}
	return list
}

// openAPI returns the index of documents, or the document of a group and version, its schemas without references.
func (s *server) openAPI(path string) any {
	if path == "" {
		index := map[string]any{}
		for gvk := range s.kinds.entries {
			name := pathOf(gvk.GroupVersion())
			index[name] = map[string]string{"serverRelativeURL": "/openapi/v3/" + name}
		}
		return map[string]any{"paths": index}
	}
	schemas := map[string]*spec.Schema{}
	for gvk, each := range s.kinds.entries {
		if pathOf(gvk.GroupVersion()) != path {
			continue
		}
		if found, err := each.schema(); err == nil {
			copied := *found
			copied.AddExtension("x-kubernetes-group-version-kind", []map[string]string{{"group": gvk.Group, "version": gvk.Version, "kind": gvk.Kind}})
			schemas[gvk.String()] = &copied
		}
	}
	return map[string]any{"components": map[string]any{"schemas": schemas}}
}

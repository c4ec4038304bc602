package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"

	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	coreopenapi "k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/cel/openapi/resolver"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/kubernetes-sigs/kro/api/v1alpha1"
	"github.com/kubernetes-sigs/kro/pkg/graph"
)

// Kinds are the kinds of an imagined cluster: Kubernetes' own and those of its CustomResourceDefinitions.
// It is what kro asks for schemas and for the resources of kinds.
type Kinds struct {
	resolver.SchemaResolver
	meta.RESTMapper
	entries map[schema.GroupVersionKind]kind
	builder func() (*graph.Builder, error)
	// admitters admit objects of kro's own group, by kind.
	admitters map[string]func() (*admitter, error)
}

type kind struct {
	plural     string
	namespaced bool
	schema     func() (*spec.Schema, error)
}

// ownKinds is the file that kinds.py writes.
type ownKinds struct {
	Definitions map[string]*spec.Schema `json:"definitions"`
	Kinds       []struct {
		Group      string `json:"group"`
		Version    string `json:"version"`
		Kind       string `json:"kind"`
		Definition string `json:"definition"`
		Plural     string `json:"plural"`
		Namespaced bool   `json:"namespaced"`
	} `json:"kinds"`
}

func readKinds(path string) (*Kinds, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("Kubernetes' own kinds: %w", err)
	}
	var own ownKinds
	if err := decode(content, &own); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	entries := map[schema.GroupVersionKind]kind{}
	find := func(ref string) (*spec.Schema, bool) {
		found, ok := own.Definitions[ref]
		return found, ok
	}
	for _, each := range own.Kinds {
		entries[schema.GroupVersionKind{Group: each.Group, Version: each.Version, Kind: each.Kind}] = kind{
			plural:     each.Plural,
			namespaced: each.Namespaced,
			schema:     sync.OnceValues(func() (*spec.Schema, error) { return resolver.PopulateRefs(find, each.Definition) }),
		}
	}
	return newKinds(entries, nil), nil
}

// admitter returns what admits objects of a kind of kro's own group.
func (k *Kinds) admitter(name string) (*admitter, error) {
	found, ok := k.admitters[name]
	if !ok {
		return nil, fmt.Errorf("the definition of %s is not among the CRDs", name)
	}
	return found()
}

// compiled has the definitions that are compiled into kro.
var compiled = resolver.NewDefinitionsSchemaResolver(coreopenapi.GetOpenAPIDefinitions, scheme.Scheme)

func newKinds(entries map[schema.GroupVersionKind]kind, admitters map[string]func() (*admitter, error)) *Kinds {
	mapper := meta.NewDefaultRESTMapper(nil)
	for gvk, each := range entries {
		scope := meta.RESTScopeRoot
		if each.namespaced {
			scope = meta.RESTScopeNamespace
		}
		gv := gvk.GroupVersion()
		mapper.AddSpecific(gvk, gv.WithResource(each.plural), gv.WithResource(strings.ToLower(gvk.Kind)), scope)
	}
	// Like kro's own resolver: first the definitions that are compiled in, then those of the cluster.
	kinds := &Kinds{SchemaResolver: compiled.Combine(published(entries)), RESTMapper: mapper, entries: entries, admitters: admitters}
	kinds.builder = sync.OnceValues(func() (*graph.Builder, error) { return newBuilder(kinds) })
	return kinds
}

// published resolves the schemas that a cluster publishes.
type published map[schema.GroupVersionKind]kind

func (p published) ResolveSchema(gvk schema.GroupVersionKind) (*spec.Schema, error) {
	if found, ok := p[gvk]; ok {
		return found.schema()
	}
	for each := range p {
		if each.GroupVersion() == gvk.GroupVersion() {
			return nil, fmt.Errorf("cannot resolve group version kind %q: %w", gvk, resolver.ErrSchemaNotFound)
		}
	}
	return nil, fmt.Errorf("cannot resolve group version %q: %w", gvk.GroupVersion(), resolver.ErrSchemaNotFound)
}

// with returns these kinds and those of further definitions. Kubernetes' own cannot be replaced.
func (k *Kinds) with(crds []*extv1.CustomResourceDefinition) (*Kinds, error) {
	entries, admitters := maps.Clone(k.entries), map[string]func() (*admitter, error){}
	maps.Copy(admitters, k.admitters)
	for _, crd := range crds {
		if crd.Spec.Group == v1alpha1.KRODomainName {
			admitters[crd.Spec.Names.Kind] = sync.OnceValues(func() (*admitter, error) { return newAdmitter(crd, v1alpha1.GroupVersion.Version) })
		}
		for _, version := range crd.Spec.Versions {
			gvk := schema.GroupVersionKind{Group: crd.Spec.Group, Version: version.Name, Kind: crd.Spec.Names.Kind}
			if _, taken := entries[gvk]; taken || !version.Served {
				continue
			}
			entries[gvk] = kind{
				plural:     crd.Spec.Names.Plural,
				namespaced: crd.Spec.Scope == extv1.NamespaceScoped,
				schema:     sync.OnceValues(func() (*spec.Schema, error) { return publishedSchema(crd, gvk) }),
			}
		}
	}
	return newKinds(entries, admitters), nil
}

// publishedSchema returns the schema that the API server makes of a definition.
func publishedSchema(crd *extv1.CustomResourceDefinition, gvk schema.GroupVersionKind) (*spec.Schema, error) {
	document, err := builder.BuildOpenAPIV3(crd, gvk.Version, builder.Options{})
	if err != nil {
		return nil, err
	}
	schemas := document.Components.Schemas
	for name, each := range schemas {
		var kinds []schema.GroupVersionKind
		if err := each.Extensions.GetObject("x-kubernetes-group-version-kind", &kinds); err != nil {
			return nil, err
		}
		if len(kinds) == 1 && kinds[0] == gvk {
			return resolver.PopulateRefs(func(ref string) (*spec.Schema, bool) {
				found, ok := schemas[strings.TrimPrefix(ref, "#/components/schemas/")]
				return found, ok
			}, name)
		}
	}
	return nil, fmt.Errorf("cannot resolve group version kind %q: %w", gvk, resolver.ErrSchemaNotFound)
}

// readCRDs reads the CustomResourceDefinitions of files and of the YAML files of folders.
func readCRDs(paths []string) ([]*extv1.CustomResourceDefinition, error) {
	var found []*extv1.CustomResourceDefinition
	for _, path := range paths {
		files := []string{path}
		if info, err := os.Stat(path); err != nil {
			return nil, err
		} else if info.IsDir() {
			if files, err = filepath.Glob(filepath.Join(path, "*.y*ml")); err != nil {
				return nil, err
			}
			sort.Strings(files)
		}
		for _, file := range files {
			content, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			documents, err := streamObjects(string(content))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			crds, err := toCRDs(documents)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			found = append(found, crds...)
		}
	}
	return found, nil
}

// toCRDs returns the CustomResourceDefinitions among some objects, with the API server's defaults.
func toCRDs(objects []map[string]any) ([]*extv1.CustomResourceDefinition, error) {
	var found []*extv1.CustomResourceDefinition
	for _, object := range objects {
		if object["kind"] != "CustomResourceDefinition" && object["kind"] != nil {
			continue
		}
		crd := &extv1.CustomResourceDefinition{}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object, crd); err != nil {
			return nil, err
		}
		setDefaults(crd)
		found = append(found, crd)
	}
	return found, nil
}

func setDefaults(crd *extv1.CustomResourceDefinition) {
	extv1.SetDefaults_CustomResourceDefinition(crd)
	extv1.SetDefaults_CustomResourceDefinitionSpec(&crd.Spec)
}

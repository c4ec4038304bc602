//go:build kro0.10

package main

import (
	"context"
	"fmt"
	"strconv"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kubernetes-sigs/kro/pkg/metadata"
)

// imaginedCluster is the part of a client that kro's executor calls. It keeps what is applied, with what is said to be observed
// of each node's objects merged onto them.
type imaginedCluster struct {
	client.Client
	kinds    *Kinds
	observed map[string][]map[string]any
	lock     sync.Mutex
	objects  map[string]map[string]any
	applied  []AppliedObject
	patched  []map[string]any
}

func newImaginedCluster(kinds *Kinds, question Case) *imaginedCluster {
	cluster := &imaginedCluster{kinds: kinds, observed: question.Observed, objects: map[string]map[string]any{}}
	for _, each := range question.Cluster {
		object := &unstructured.Unstructured{Object: each}
		cluster.objects[keyOf(object)] = object.Object
	}
	return cluster
}

func keyOf(object *unstructured.Unstructured) string {
	return fmt.Sprintf("%s/%s/%s", object.GroupVersionKind(), object.GetNamespace(), object.GetName())
}

func (c *imaginedCluster) RESTMapper() meta.RESTMapper { return c.kinds }

func (c *imaginedCluster) Get(_ context.Context, key client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	c.lock.Lock()
	defer c.lock.Unlock()
	wanted := into.(*unstructured.Unstructured)
	kind := wanted.GroupVersionKind()
	found, ok := c.objects[fmt.Sprintf("%s/%s/%s", kind, key.Namespace, key.Name)]
	if !ok {
		return apierrors.NewNotFound(schema.GroupResource{Group: kind.Group, Resource: kind.Kind}, key.Name)
	}
	wanted.Object = copyJSON(found)
	return nil
}

func (c *imaginedCluster) List(_ context.Context, into client.ObjectList, options ...client.ListOption) error {
	c.lock.Lock()
	defer c.lock.Unlock()
	chosen := &client.ListOptions{}
	chosen.ApplyOptions(options)
	list := into.(*unstructured.UnstructuredList)
	kind := list.GroupVersionKind()
	names := map[string]string{}
	for key, each := range c.objects {
		object := &unstructured.Unstructured{Object: each}
		if object.GroupVersionKind() == kind && (chosen.Namespace == "" || chosen.Namespace == object.GetNamespace()) &&
			(chosen.LabelSelector == nil || chosen.LabelSelector.Matches(labelsOf(object))) {
			names[key] = ""
		}
	}
	for _, key := range sortedKeys(names) {
		list.Items = append(list.Items, unstructured.Unstructured{Object: copyJSON(c.objects[key])})
	}
	return nil
}

type labelSet map[string]string

func (l labelSet) Has(name string) bool              { _, ok := l[name]; return ok }
func (l labelSet) Get(name string) string            { return l[name] }
func (l labelSet) Lookup(name string) (string, bool) { value, ok := l[name]; return value, ok }

func labelsOf(object *unstructured.Unstructured) labelSet { return object.GetLabels() }

// Patch applies an object of a template; one of a patch node has no path in its annotations.
func (c *imaginedCluster) Patch(_ context.Context, into client.Object, _ client.Patch, _ ...client.PatchOption) error {
	c.lock.Lock()
	defer c.lock.Unlock()
	object := into.(*unstructured.Unstructured)
	path, isTemplate := object.GetAnnotations()[metadata.NodePathAnnotation]
	if !isTemplate {
		c.patched = append(c.patched, copyJSON(object.Object))
		return nil
	}
	index, _ := strconv.Atoi(object.GetLabels()[metadata.CollectionIndexLabel])
	c.applied = append(c.applied, AppliedObject{Node: path, Index: index, Object: copyJSON(object.Object)})
	if given := c.observed[path]; index < len(given) {
		object.Object = merge(object.Object, copyJSON(given[index]))
	}
	c.objects[keyOf(object)] = copyJSON(object.Object)
	return nil
}

func (c *imaginedCluster) Status() client.SubResourceWriter { return statusWriter{cluster: c} }

type statusWriter struct {
	client.SubResourceWriter
	cluster *imaginedCluster
}

func (w statusWriter) Patch(_ context.Context, into client.Object, _ client.Patch, _ ...client.SubResourcePatchOption) error {
	w.cluster.lock.Lock()
	defer w.cluster.lock.Unlock()
	w.cluster.patched = append(w.cluster.patched, copyJSON(into.(*unstructured.Unstructured).Object))
	return nil
}

func sortedKeys(names map[string]string) []string {
	found := make([]string, 0, len(names))
	for each := range names {
		found = append(found, each)
	}
	return sorted(found)
}

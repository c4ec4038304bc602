package main

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	extvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

// Admission says what the API server makes of a custom resource: the fields that it does not know, under strict field
// validation, and why it refuses it.
type Admission struct {
	UnknownFields []string
	Errors        []string
}

// admitter is what the API server makes of one version of a CustomResourceDefinition to admit its objects.
type admitter struct {
	structural *structuralschema.Structural
	validator  validation.SchemaValidator
	rules      *cel.Validator
	namespaced bool
}

func newAdmitter(crd *extv1.CustomResourceDefinition, versionName string) (*admitter, error) {
	internal, err := internalSchema(crd, versionName)
	if err != nil {
		return nil, err
	}
	structural, err := structuralschema.NewStructural(internal)
	if err != nil {
		return nil, err
	}
	if err := defaulting.PruneDefaults(structural); err != nil {
		return nil, err
	}
	validator, _, err := validation.NewSchemaValidator(internal)
	if err != nil {
		return nil, err
	}
	rules := cel.NewValidator(structural, true, celconfig.PerCallLimit)
	return &admitter{structural, validator, rules, crd.Spec.Scope == extv1.NamespaceScoped}, nil
}

// admit changes the object to what the API server would store.
func (a *admitter) admit(object map[string]any) (Admission, error) {
	var result Admission
	defaulting.Default(object, a.structural)
	metadata, hasMetadata, unknown, err := objectmeta.GetObjectMetaWithOptions(object, objectmeta.ObjectMetaOptions{ReturnUnknownFieldPaths: true})
	if err != nil {
		result.Errors = append(result.Errors, err.Error())
		return result, nil
	}
	pruned := pruning.PruneWithOptions(object, a.structural, true, structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	result.UnknownFields = append(unknown, pruned...)
	defaulting.PruneNonNullableNullsWithoutDefaults(object, a.structural)
	if hasMetadata {
		if err := objectmeta.SetObjectMeta(object, metadata); err != nil {
			return result, err
		}
	}

	accessor := &unstructured.Unstructured{Object: object}
	if !a.namespaced {
		accessor.SetNamespace("")
	} else if accessor.GetNamespace() == "" {
		accessor.SetNamespace(metav1.NamespaceDefault)
	}
	var errs field.ErrorList
	errs = append(errs, apivalidation.ValidateObjectMetaAccessor(accessor, a.namespaced, apivalidation.NameIsDNSSubdomain, field.NewPath("metadata"))...)
	errs = append(errs, validation.ValidateCustomResource(nil, object, a.validator)...)
	errs = append(errs, objectmeta.Validate(nil, object, a.structural, false)...)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, a.structural, object)...)
	if a.rules != nil && !blocksRules(errs) {
		broken, _ := a.rules.Validate(context.Background(), nil, a.structural, object, nil, celconfig.RuntimeCELCostBudget)
		errs = append(errs, broken...)
	}
	result.Errors = texts(errs)
	return result, nil
}

// blocksRules tells whether there is an error after which the API server does not evaluate validation rules.
func blocksRules(errs field.ErrorList) bool {
	for _, each := range errs {
		switch each.Type {
		case field.ErrorTypeNotSupported, field.ErrorTypeRequired, field.ErrorTypeTooLong, field.ErrorTypeTooMany, field.ErrorTypeTypeInvalid:
			return true
		}
	}
	return false
}

func internalSchema(crd *extv1.CustomResourceDefinition, versionName string) (*apiextensions.JSONSchemaProps, error) {
	for _, version := range crd.Spec.Versions {
		if version.Name == versionName {
			internal := &apiextensions.JSONSchemaProps{}
			err := extv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(version.Schema.OpenAPIV3Schema, internal, nil)
			return internal, err
		}
	}
	return nil, fmt.Errorf("%s has no version %q", crd.Name, versionName)
}

// refusals returns why the API server refuses a CustomResourceDefinition.
func refusals(crd *extv1.CustomResourceDefinition) ([]string, error) {
	internal := &apiextensions.CustomResourceDefinition{}
	if err := extv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(crd, internal, nil); err != nil {
		return nil, err
	}
	for _, version := range internal.Spec.Versions {
		if version.Storage {
			internal.Status.StoredVersions = []string{version.Name}
		}
	}
	return texts(extvalidation.ValidateCustomResourceDefinition(context.Background(), internal)), nil
}

// texts returns errors sorted, because validation walks through maps.
func texts(errs field.ErrorList) []string {
	var found []string
	for _, each := range errs {
		found = append(found, each.Error())
	}
	slices.Sort(found)
	return found
}

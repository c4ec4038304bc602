// The versions are those that the newest supported release of kro is built with.
module kro-ls/golang-oracle

go 1.26.0

require (
	github.com/blang/semver/v4 v4.0.0
	github.com/gobuffalo/flect v1.0.3
	k8s.io/apimachinery v0.36.3
	k8s.io/kube-openapi v0.0.0-20260821135717-be32def86098
)

require (
	github.com/fxamacker/cbor/v2 v2.9.0 // indirect
	github.com/x448/float16 v0.8.4 // indirect
	gopkg.in/inf.v0 v0.9.1 // indirect
	k8s.io/utils v0.0.0-20260210185600-b8788abfbbc2 // indirect
	sigs.k8s.io/json v0.0.0-20250730193827-2d320260d730 // indirect
)

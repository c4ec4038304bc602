package main

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"github.com/blang/semver/v4"
	"github.com/gobuffalo/flect"
	"k8s.io/apimachinery/pkg/api/resource"
	names "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
)

func readAddr(arguments []string) any {
	address, err := netip.ParseAddr(arguments[0])
	if err != nil {
		return refused(err)
	}
	return answer{
		"text":                    address.String(),
		"version":                 address.BitLen() / 32,
		"zone":                    address.Zone(),
		"is_4_in_6":               address.Is4In6(),
		"is_unspecified":          address.IsUnspecified(),
		"is_loopback":             address.IsLoopback(),
		"is_link_local_multicast": address.IsLinkLocalMulticast(),
		"is_link_local_unicast":   address.IsLinkLocalUnicast(),
		"is_global_unicast":       address.IsGlobalUnicast(),
	}
}

// readPrefix reads a prefix and tells whether it contains the second argument, an address.
func readPrefix(arguments []string) any {
	prefix, err := netip.ParsePrefix(arguments[0])
	if err != nil {
		return refused(err)
	}
	address, err := netip.ParseAddr(arguments[1])
	return answer{
		"text":     prefix.String(),
		"bits":     prefix.Bits(),
		"masked":   prefix.Masked().String(),
		"contains": err == nil && prefix.Contains(address),
	}
}

func readURL(arguments []string) any {
	requested := true
	if _, err := url.ParseRequestURI(arguments[0]); err != nil {
		if requested = false; len(arguments) == 1 {
			return refused(err)
		}
	}
	read, err := url.Parse(arguments[0])
	if err != nil {
		return refused(err)
	}
	return answer{
		"is_request_uri": requested,
		"scheme":         read.Scheme,
		"opaque":         read.Opaque,
		"host":           printable(read.Host),
		"hostname":       printable(read.Hostname()),
		"port":           read.Port(),
		"path":           read.EscapedPath(),
		"query":          query(read),
	}
}

func query(read *url.URL) map[string][]string {
	values := map[string][]string{}
	for name, each := range read.Query() {
		for _, value := range each {
			values[printable(name)] = append(values[printable(name)], printable(value))
		}
	}
	return values
}

func printable(text string) string {
	return string([]rune(text))
}

func readSemver(arguments []string) any {
	version, err := semver.Parse(arguments[0])
	if err != nil {
		return refused(err)
	}
	read := answer{"major": version.Major, "minor": version.Minor, "patch": version.Patch, "text": version.String()}
	if other, err := semver.Parse(arguments[1]); err == nil {
		read["compared"] = version.Compare(other)
	}
	return read
}

func readQuantity(arguments []string) any {
	quantity, err := resource.ParseQuantity(arguments[0])
	if err != nil {
		return refused(err)
	}
	integer, isInteger := quantity.AsInt64()
	if !isInteger {
		integer = 0
	}
	read := answer{
		"sign":       quantity.Sign(),
		"is_integer": isInteger,
		"integer":    integer,
		"float":      strconv.FormatFloat(quantity.AsApproximateFloat64(), 'g', -1, 64),
	}
	if other, err := resource.ParseQuantity(arguments[1]); err == nil {
		read["compared"] = quantity.Cmp(other)
	}
	return read
}

// readLiteral tells what package strconv makes of the argument.
func readLiteral(arguments []string) any {
	text := arguments[0]
	read := answer{"trimmed": strings.TrimSpace(text), "space": strings.IndexFunc(text, unicode.IsSpace) >= 0}
	note := func(name string, value any, err error) {
		if err != nil {
			value = refused(err)
		}
		read[name] = value
	}
	boolean, err := strconv.ParseBool(text)
	note("bool", boolean, err)
	integer, err := strconv.ParseInt(text, 10, 64)
	note("int", integer, err)
	unsigned, err := strconv.ParseUint(text, 10, 64)
	note("uint", unsigned, err)
	number, err := strconv.ParseFloat(text, 64)
	note("float", strconv.FormatFloat(number, 'g', -1, 64), err)
	return read
}

func readQuote(arguments []string) any {
	return strconv.Quote(arguments[0])
}

func readPlural(arguments []string) any {
	return flect.Pluralize(strings.ToLower(arguments[0]))
}

func hasFormats(arguments []string) any {
	found := []string{}
	for _, name := range arguments[1:] {
		if strfmt.Default.Validates(name, arguments[0]) {
			found = append(found, name)
		}
	}
	return found
}

// nameProblems tells what speaks against the first argument as a kind of name, which is the second.
func nameProblems(arguments []string) any {
	problems := map[string]func(string) []string{
		"qualifiedName": validation.IsQualifiedName,
		"labelValue":    validation.IsValidLabelValue,
	}
	for name, validate := range map[string]names.ValidateNameFunc{
		"dns1123Label":     names.NameIsDNSLabel,
		"dns1123Subdomain": names.NameIsDNSSubdomain,
		"dns1035Label":     names.NameIsDNS1035Label,
	} {
		problems[name] = func(text string) []string { return validate(text, false) }
		problems[name+"Prefix"] = func(text string) []string { return validate(text, true) }
	}
	return problems[arguments[1]](arguments[0])
}

"""IP addresses, and networks in CIDR notation (apiserver `pkg/cel/library/{ip,cidr}.go`)."""

from __future__ import annotations

from kro_ls.cel.types.declarations import Documentation, FunctionDeclaration, Library, function


def _test(name: str, id_: str, text: str, example: str) -> FunctionDeclaration:
    return function(name, Documentation(text, f"ip('{example}').{name}()"), {f"ip_{id_}": "net.IP.() -> bool"})


FUNCTIONS = (
    function(
        "ip",
        Documentation(
            "Reads an IPv4 or IPv6 address.",
            "ip('192.168.0.1').family() == 4",
            "Another text, a zone (`fe80::1%eth0`) and IPv4 mapped into IPv6 fail; test with `isIP` first.",
        ),
        {"string_to_ip": "(text: string) -> net.IP"},
    ),
    function(
        "family",
        Documentation("4 for an IPv4 address, 6 for an IPv6 address.", "ip('::1').family() == 6"),
        {"ip_family": "net.IP.() -> int"},
    ),
    function(
        "ip.isCanonical",
        Documentation(
            "True when the string is an address written in its canonical form, such as IPv6 shortened and in lower "
            "case.",
            "ip.isCanonical('2001:db8::abcd') && !ip.isCanonical('2001:DB8::ABCD')",
            "A string that is not an address fails.",
        ),
        {"ip_is_canonical": "(text: string) -> bool"},
    ),
    _test("isUnspecified", "is_unspecified", "True for `0.0.0.0` and `::`.", "::"),
    _test("isLoopback", "is_loopback", "True for `127.0.0.0/8` and `::1`.", "127.0.0.1"),
    _test("isLinkLocalMulticast", "is_link_local_multicast", "True for `224.0.0.0/24` and `ff02::/16`.", "224.0.0.1"),
    _test(
        "isLinkLocalUnicast", "is_link_local_unicast", "True for `169.254.0.0/16` and `fe80::/10`.", "169.254.169.254"
    ),
    _test(
        "isGlobalUnicast",
        "is_global_unicast",
        "True for unicast addresses that are not link-local; private ones count.",
        "192.168.0.1",
    ),
    function(
        "isIP",
        Documentation("True when the string is an IPv4 or IPv6 address.", "isIP('127.0.0.1') && !isIP('127.0.0.1:80')"),
        {"is_ip": "(text: string) -> bool"},
    ),
    function(
        "string",
        Documentation("The canonical text of the address.", "string(ip('2001:DB8::1')) == '2001:db8::1'"),
        {"ip_to_string": "(value: net.IP) -> string"},
    ),
    function(
        "cidr",
        Documentation(
            "Reads an IPv4 or IPv6 network such as `10.0.0.0/16`.",
            "cidr('10.0.0.0/16').prefixLength() == 16",
            "Another text fails with `network address parse error during conversion from string: ...`; test with "
            "`isCIDR` first.",
        ),
        {"string_to_cidr": "(text: string) -> net.CIDR"},
    ),
    function(
        "containsIP",
        Documentation(
            "True when the address, given as a string or `ip(...)`, is in the network.",
            "cidr('10.0.0.0/16').containsIP('10.0.1.2')",
            "A string that is not an address fails with `no such overload`.",
        ),
        {
            "cidr_contains_ip_string": "net.CIDR.(address: string) -> bool",
            "cidr_contains_ip_ip": "net.CIDR.(address: net.IP) -> bool",
        },
    ),
    function(
        "containsCIDR",
        Documentation(
            "True when all of the other network, given as a string or `cidr(...)`, is in the network.",
            "cidr('10.0.0.0/16').containsCIDR('10.0.1.0/24')",
            "A string that is not a network fails with `no such overload`.",
        ),
        {
            "cidr_contains_cidr_string": "net.CIDR.(network: string) -> bool",
            "cidr_contains_cidr": "net.CIDR.(network: net.CIDR) -> bool",
        },
    ),
    function(
        "ip",
        Documentation("The address part of the network as written.", "cidr('10.0.0.1/16').ip() == ip('10.0.0.1')"),
        {"cidr_ip": "net.CIDR.() -> net.IP"},
    ),
    function(
        "prefixLength",
        Documentation("The number of bits of the prefix.", "cidr('10.0.0.0/16').prefixLength() == 16"),
        {"cidr_prefix_length": "net.CIDR.() -> int"},
    ),
    function(
        "masked",
        Documentation(
            "The same network with the bits after the prefix set to zero.",
            "cidr('10.0.0.1/16').masked() == cidr('10.0.0.0/16')",
        ),
        {"cidr_masked": "net.CIDR.() -> net.CIDR"},
    ),
    function(
        "isCIDR",
        Documentation(
            "True when the string is a network in CIDR notation.", "isCIDR('10.0.0.0/16') && !isCIDR('10.0.0.0')"
        ),
        {"is_cidr": "(text: string) -> bool"},
    ),
    function(
        "string",
        Documentation("The text of the network.", "string(cidr('10.0.0.0/16')) == '10.0.0.0/16'"),
        {"cidr_to_string": "(value: net.CIDR) -> string"},
    ),
)

LIBRARY = Library(__name__, FUNCTIONS)

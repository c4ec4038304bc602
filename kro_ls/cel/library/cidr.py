"""IP networks in CIDR notation (apiserver `pkg/cel/library/cidr.go`)."""

from __future__ import annotations

from kro_ls.cel.types.declarations import Documentation, Library, function

FUNCTIONS = (
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

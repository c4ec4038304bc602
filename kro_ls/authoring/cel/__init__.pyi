"""The functions and macros of kro's CEL. Written by scripts/generate."""

import builtins
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, TypeVar, overload

from kro_ls.authoring.cel.cel_values import CIDR as CIDR
from kro_ls.authoring.cel.cel_values import Condition as Condition
from kro_ls.authoring.cel.cel_values import IP as IP
from kro_ls.authoring.cel.cel_values import Optional as Optional
from kro_ls.authoring.cel.cel_values import Quantity as Quantity
from kro_ls.authoring.cel.cel_values import Semver as Semver
from kro_ls.authoring.cel.cel_values import URL as URL

_A = TypeVar("_A")
_B = TypeVar("_B")
_K = TypeVar("_K")
_T = TypeVar("_T")
_V = TypeVar("_V")

def expression(text: builtins.str, /) -> Any:
    """Return CEL that is written as text."""

def add(value: Quantity, other: Quantity | builtins.int, /) -> Quantity:
    """The sum of the quantity and another, or an int.

    In CEL: quantity('1k').add(1) == quantity('1001')
    """

@overload
def all(items: builtins.list[_A], predicate: Callable[[_A], builtins.bool], /) -> builtins.bool: ...
@overload
def all(items: Mapping[_K, _V], predicate: Callable[[_K], builtins.bool], /) -> builtins.bool: ...
@overload
def all(items: builtins.list[_A], predicate: Callable[[builtins.int, _A], builtins.bool], /) -> builtins.bool: ...
@overload
def all(items: Mapping[_K, _V], predicate: Callable[[_K, _V], builtins.bool], /) -> builtins.bool:
    """True when the predicate holds for every element of the list or key of the map. With two variables
    they are index and element, or key and value. Fails when the predicate fails for an element and is
    false for none.

    In CEL: [1, 2].all(x, x > 0) && {'k': 1}.all(k, v, v == 1)
    """

def asApproximateFloat(value: Quantity, /) -> builtins.float:
    """The quantity as a double, perhaps rounded.

    In CEL: quantity('1500m').asApproximateFloat() == 1.5
    """

def asInteger(value: Quantity, /) -> builtins.int:
    """The quantity as an int. A quantity that is not whole or too large fails with `cannot convert value
    to integer`.

    In CEL: quantity('2k').asInteger() == 2000
    """

class _Base64:
    def decode(self, text: builtins.str, /) -> builtins.bytes:
        """The bytes that a base64 text stands for; the padding at its end may be missing. Another text fails
        with `illegal base64 data at input byte <offset>`.

        In CEL: base64.decode('aGVsbG8=') == b'hello'
        """
    def encode(self, value: builtins.bytes, /) -> builtins.str:
        """The base64 text of bytes, with padding. Convert a string first: `base64.encode(bytes(text))`.

        In CEL: base64.encode(b'hello') == 'aGVsbG8='
        """

base64: _Base64

def bind(value: _A, expression: Callable[[_A], _T], /) -> _T:
    """Names a value: the result is `expression`, in which `x` stands for `value`.

    In CEL: cel.bind(x, 'a' + 'b', x + x) == 'abab'
    """

def bool(value: builtins.bool | builtins.str, /) -> builtins.bool:
    """Converts to bool. A string must be one of 1, t, T, true, TRUE, True, 0, f, F, false, FALSE, False.
    Another string fails with `type conversion error from 'string' to 'bool'`.

    In CEL: bool('true')
    """

def bytes(value: builtins.bytes | builtins.str, /) -> builtins.bytes:
    """Converts a string to its UTF-8 bytes.

    In CEL: bytes('tea') == b'tea'
    """

def charAt(value: builtins.str, index: builtins.int, /) -> builtins.str:
    """The character at an index, as a string. The index right after the last character gives an empty
    string. An index below 0 or after the end fails with `index out of range: <index>`.

    In CEL: 'tea'.charAt(1) == 'e'
    """

def cidr(text: builtins.str, /) -> CIDR:
    """Reads an IPv4 or IPv6 network such as `10.0.0.0/16`. Another text fails with `network address parse
    error during conversion from string: ...`; test with `isCIDR` first.

    In CEL: cidr('10.0.0.0/16').prefixLength() == 16

    Needs kro 0.9.2 or newer.
    """

@overload
def compareTo(value: Quantity, other: Quantity, /) -> builtins.int: ...
@overload
def compareTo(value: Semver, other: Semver, /) -> builtins.int:
    """-1, 0 or 1 when the quantity is less than, equal to or greater than the other.

    In CEL: quantity('1').compareTo(quantity('1000m')) == 0

    -1, 0 or 1 when the version comes before, equals or comes after the other; build metadata does not
    count.

    In CEL: semver('1.0.0+a').compareTo(semver('1.0.0+b')) == 0
    """

def contains(value: builtins.str, text: builtins.str, /) -> builtins.bool:
    """True when the string has the other string in it.

    In CEL: 'breakfast'.contains('fast')
    """

def containsCIDR(value: CIDR, network: builtins.str | CIDR, /) -> builtins.bool:
    """True when all of the other network, given as a string or `cidr(...)`, is in the network. A string
    that is not a network fails with `no such overload`.

    In CEL: cidr('10.0.0.0/16').containsCIDR('10.0.1.0/24')
    """

def containsIP(value: CIDR, address: builtins.str | IP, /) -> builtins.bool:
    """True when the address, given as a string or `ip(...)`, is in the network. A string that is not an
    address fails with `no such overload`.

    In CEL: cidr('10.0.0.0/16').containsIP('10.0.1.2')
    """

def deepMerge(value: Any, other: Any, /) -> Any:
    """The entries of both maps, with maps under the same key merged again; otherwise the other map wins.
    The result is not type checked. A side that is not a map fails with `no such overload`.

    In CEL: {'a': {'x': 1}}.deepMerge({'a': {'y': 2}}) == {'a': {'x': 1, 'y': 2}}

    Needs kro 0.9.4.dev or newer.
    """

def distinct(value: builtins.list[_T], /) -> builtins.list[_T]:
    """The elements without repetition; of equal ones the first stays.

    In CEL: [1, 2, 1].distinct() == [1, 2]
    """

def double(value: builtins.float | builtins.int | builtins.str, /) -> builtins.float:
    """Converts a number, or a string such as `1.5`, `1e3`, `inf` or `NaN`, to double. A string that is not
    a number fails with `type conversion error from 'string' to 'double'`.

    In CEL: double(3) == 3.0
    """

def duration(value: timedelta | builtins.str, /) -> timedelta:
    """Reads a duration: numbers with the units h, m, s, ms, us, ns, such as `1h30m` or `-1.5s`. There is
    no unit for days. Another text fails with a type conversion error.

    In CEL: duration('90m') == duration('1h30m')
    """

def dyn(value: _A, /) -> Any:
    """Returns the value unchanged but turns type checking off for it: the type is decided at run time.

    In CEL: dyn(1) == 1.0
    """

def endsWith(value: builtins.str, suffix: builtins.str, /) -> builtins.bool:
    """True when the string ends with the suffix.

    In CEL: 'app.yaml'.endsWith('.yaml')
    """

@overload
def exists(items: builtins.list[_A], predicate: Callable[[_A], builtins.bool], /) -> builtins.bool: ...
@overload
def exists(items: Mapping[_K, _V], predicate: Callable[[_K], builtins.bool], /) -> builtins.bool: ...
@overload
def exists(items: builtins.list[_A], predicate: Callable[[builtins.int, _A], builtins.bool], /) -> builtins.bool: ...
@overload
def exists(items: Mapping[_K, _V], predicate: Callable[[_K, _V], builtins.bool], /) -> builtins.bool:
    """True when the predicate holds for at least one element of the list or key of the map. With two
    variables they are index and element, or key and value. Fails when the predicate fails for an
    element and is true for none.

    In CEL: [1, 2].exists(x, x == 2)
    """

@overload
def existsOne(items: builtins.list[_A], predicate: Callable[[builtins.int, _A], builtins.bool], /) -> builtins.bool: ...
@overload
def existsOne(items: Mapping[_K, _V], predicate: Callable[[_K, _V], builtins.bool], /) -> builtins.bool:
    """True when the predicate holds for exactly one pair of index and element, or key and value. The form
    with one variable is called `exists_one`.

    In CEL: [1, 2].existsOne(i, v, v > i + 1) == false

    Needs kro 0.9.0 or newer.
    """

@overload
def exists_one(items: builtins.list[_A], predicate: Callable[[_A], builtins.bool], /) -> builtins.bool: ...
@overload
def exists_one(items: Mapping[_K, _V], predicate: Callable[[_K], builtins.bool], /) -> builtins.bool: ...
@overload
def exists_one(items: builtins.list[_A], predicate: Callable[[builtins.int, _A], builtins.bool], /) -> builtins.bool: ...
@overload
def exists_one(items: Mapping[_K, _V], predicate: Callable[[_K, _V], builtins.bool], /) -> builtins.bool:
    """True when the predicate holds for exactly one element of the list or key of the map. With two
    variables they are index and element, or key and value. Fails when the predicate fails for any
    element.

    In CEL: [1, 2, 3].exists_one(x, x > 2)
    """

def family(value: IP, /) -> builtins.int:
    """4 for an IPv4 address, 6 for an IPv6 address.

    In CEL: ip('::1').family() == 6
    """

@overload
def filter(items: builtins.list[_A], predicate: Callable[[_A], builtins.bool], /) -> builtins.list[_A]: ...
@overload
def filter(items: Mapping[_K, _V], predicate: Callable[[_K], builtins.bool], /) -> builtins.list[_K]:
    """The list of the elements (or keys of a map) for which the predicate holds.

    In CEL: [1, 2, 3].filter(x, x > 1) == [2, 3]
    """

def find(value: builtins.str, pattern: builtins.str, /) -> builtins.str:
    """The first part of the string that the pattern matches, empty when there is none. A pattern that is
    not a regular expression: a literal one is refused before anything runs, another fails.

    In CEL: 'abc 123'.find('[0-9]+') == '123'

    Needs kro 0.7.1 or newer.
    """

@overload
def findAll(value: builtins.str, pattern: builtins.str, /) -> builtins.list[builtins.str]: ...
@overload
def findAll(value: builtins.str, pattern: builtins.str, limit: builtins.int, /) -> builtins.list[builtins.str]:
    """All parts of the string that the pattern matches, at most `limit` if given (all when negative). A
    pattern that is not a regular expression: a literal one is refused before anything runs, another
    fails.

    In CEL: '123 abc 456'.findAll('[0-9]+') == ['123', '456']

    Needs kro 0.7.1 or newer.
    """

def first(value: builtins.list[_V], /) -> Optional[_V]:
    """The first element of the list, as an optional that is empty for an empty list.

    In CEL: [1, 2].first().value() == 1
    """

@overload
def flatten(value: builtins.list[builtins.list[_T]], /) -> builtins.list[_T]: ...
@overload
def flatten(value: builtins.list[Any], depth: builtins.int, /) -> builtins.list[Any]:
    """Puts the elements of inner lists in their place: one level, or as many as `depth` says. A negative
    depth fails with `level must be non-negative`.

    In CEL: [[1, 2], [3]].flatten() == [1, 2, 3]
    """

def format(value: builtins.str, values: builtins.list[Any], /) -> builtins.str:
    """Fills the clauses of the string with the values of the list in order: `%s` any value, `%d` a number,
    `%f` and `%e` a double (`%.2f` with precision), `%b` binary, `%x` and `%X` hexadecimal, `%o` octal,
    `%%` a percent sign. Literal clauses and values are checked beforehand. A clause without a value, or
    with a value it cannot print, fails.

    In CEL: '%s-%d'.format(['web', 3]) == 'web-3'
    """

@overload
def getDate(value: datetime, /) -> builtins.int: ...
@overload
def getDate(value: datetime, zone: builtins.str, /) -> builtins.int:
    """The day of the month, from 1. In UTC unless a time zone is given, by name (`Europe/Berlin`) or as an
    offset (`+02:00`). `unknown time zone <zone>` or an offset out of range.

    In CEL: timestamp('2024-03-05T10:20:30.400Z').getDate() == 5
    """

@overload
def getDayOfMonth(value: datetime, /) -> builtins.int: ...
@overload
def getDayOfMonth(value: datetime, zone: builtins.str, /) -> builtins.int:
    """The day of the month, from 0. In UTC unless a time zone is given, by name (`Europe/Berlin`) or as an
    offset (`+02:00`). `unknown time zone <zone>` or an offset out of range.

    In CEL: timestamp('2024-03-05T10:20:30.400Z').getDayOfMonth() == 4
    """

@overload
def getDayOfWeek(value: datetime, /) -> builtins.int: ...
@overload
def getDayOfWeek(value: datetime, zone: builtins.str, /) -> builtins.int:
    """The day of the week, Sunday is 0. In UTC unless a time zone is given, by name (`Europe/Berlin`) or
    as an offset (`+02:00`). `unknown time zone <zone>` or an offset out of range.

    In CEL: timestamp('2024-03-05T10:20:30.400Z').getDayOfWeek() == 2
    """

@overload
def getDayOfYear(value: datetime, /) -> builtins.int: ...
@overload
def getDayOfYear(value: datetime, zone: builtins.str, /) -> builtins.int:
    """The day of the year, from 0. In UTC unless a time zone is given, by name (`Europe/Berlin`) or as an
    offset (`+02:00`). `unknown time zone <zone>` or an offset out of range.

    In CEL: timestamp('2024-03-05T10:20:30.400Z').getDayOfYear() == 64
    """

def getEscapedPath(value: URL, /) -> builtins.str:
    """The path as written in a URL, with special characters escaped.

    In CEL: url('https://user@example.com:80/a%20b?k=1&k=2').getEscapedPath() == '/a%20b'
    """

@overload
def getFullYear(value: datetime, /) -> builtins.int: ...
@overload
def getFullYear(value: datetime, zone: builtins.str, /) -> builtins.int:
    """The year. In UTC unless a time zone is given, by name (`Europe/Berlin`) or as an offset (`+02:00`).
    `unknown time zone <zone>` or an offset out of range.

    In CEL: timestamp('2024-03-05T10:20:30.400Z').getFullYear() == 2024
    """

def getHost(value: URL, /) -> builtins.str:
    """The host with its port, an IPv6 address in brackets.

    In CEL: url('https://user@example.com:80/a%20b?k=1&k=2').getHost() == 'example.com:80'
    """

def getHostname(value: URL, /) -> builtins.str:
    """The host without port, an IPv6 address without brackets.

    In CEL: url('https://user@example.com:80/a%20b?k=1&k=2').getHostname() == 'example.com'
    """

@overload
def getHours(value: datetime | timedelta, /) -> builtins.int: ...
@overload
def getHours(value: datetime, zone: builtins.str, /) -> builtins.int:
    """The hour, 0 to 23. Of a duration: all of it in whole hours. In UTC unless a time zone is given, by
    name (`Europe/Berlin`) or as an offset (`+02:00`). `unknown time zone <zone>` or an offset out of
    range.

    In CEL: timestamp('2024-03-05T10:20:30.400Z').getHours() == 10
    """

@overload
def getMilliseconds(value: datetime | timedelta, /) -> builtins.int: ...
@overload
def getMilliseconds(value: datetime, zone: builtins.str, /) -> builtins.int:
    """The milliseconds within the second. Of a duration: all of it in whole milliseconds. In UTC unless a
    time zone is given, by name (`Europe/Berlin`) or as an offset (`+02:00`). `unknown time zone <zone>`
    or an offset out of range.

    In CEL: timestamp('2024-03-05T10:20:30.400Z').getMilliseconds() == 400
    """

@overload
def getMinutes(value: datetime | timedelta, /) -> builtins.int: ...
@overload
def getMinutes(value: datetime, zone: builtins.str, /) -> builtins.int:
    """The minute, 0 to 59. Of a duration: all of it in whole minutes. In UTC unless a time zone is given,
    by name (`Europe/Berlin`) or as an offset (`+02:00`). `unknown time zone <zone>` or an offset out of
    range.

    In CEL: timestamp('2024-03-05T10:20:30.400Z').getMinutes() == 20
    """

@overload
def getMonth(value: datetime, /) -> builtins.int: ...
@overload
def getMonth(value: datetime, zone: builtins.str, /) -> builtins.int:
    """The month, January is 0. In UTC unless a time zone is given, by name (`Europe/Berlin`) or as an
    offset (`+02:00`). `unknown time zone <zone>` or an offset out of range.

    In CEL: timestamp('2024-03-05T10:20:30.400Z').getMonth() == 2
    """

def getPort(value: URL, /) -> builtins.str:
    """The port as a string, empty when there is none.

    In CEL: url('https://user@example.com:80/a%20b?k=1&k=2').getPort() == '80'
    """

def getQuery(value: URL, /) -> builtins.dict[builtins.str, builtins.list[builtins.str]]:
    """The query parameters, unescaped, each name with the list of its values.

    In CEL: url('https://user@example.com:80/a%20b?k=1&k=2').getQuery() == {'k': ['1', '2']}
    """

def getScheme(value: URL, /) -> builtins.str:
    """The scheme, empty when there is none.

    In CEL: url('https://user@example.com:80/a%20b?k=1&k=2').getScheme() == 'https'
    """

@overload
def getSeconds(value: datetime | timedelta, /) -> builtins.int: ...
@overload
def getSeconds(value: datetime, zone: builtins.str, /) -> builtins.int:
    """The second, 0 to 59. Of a duration: all of it in whole seconds. In UTC unless a time zone is given,
    by name (`Europe/Berlin`) or as an offset (`+02:00`). `unknown time zone <zone>` or an offset out of
    range.

    In CEL: timestamp('2024-03-05T10:20:30.400Z').getSeconds() == 30
    """

def has(field: Any, /) -> builtins.bool:
    """True when the selected field is present. The argument must be a plain selection such as `a.b`; a
    field that the type does not have is an error, not false.

    In CEL: has({'a': 1}.a)
    """

def hasValue(value: Optional[_V], /) -> builtins.bool:
    """True when the optional holds a value.

    In CEL: optional.of(0).hasValue()
    """

class _Hash:
    def fnv64a(self, text: builtins.str, /) -> builtins.bytes:
        """The 64 bit FNV-1a hash of the string, 8 bytes, fast but not secure. The result is bytes; make text
        of it with `base64.encode(...)`.

        In CEL: base64.encode(hash.fnv64a('hello')) == 'pDDYRoCqvQs='

        Needs kro 0.9.1 or newer.
        """
    def md5(self, text: builtins.str, /) -> builtins.bytes:
        """The MD5 hash of the string, 16 bytes, not secure. The result is bytes; make text of it with
        `base64.encode(...)`.

        In CEL: base64.encode(hash.md5('hello')) == 'XUFAKrxLKna5cZ2REBfFkg=='

        Needs kro 0.9.1 or newer.
        """
    def sha256(self, text: builtins.str, /) -> builtins.bytes:
        """The SHA-256 hash of the string, 32 bytes. The result is bytes; make text of it with
        `base64.encode(...)`.

        In CEL: base64.encode(hash.sha256('hello')) == 'LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ='

        Needs kro 0.9.1 or newer.
        """

hash: _Hash

@overload
def indexOf(value: builtins.str, text: builtins.str, /) -> builtins.int: ...
@overload
def indexOf(value: builtins.str, text: builtins.str, offset: builtins.int, /) -> builtins.int: ...
@overload
def indexOf(value: builtins.list[_A], element: _A, /) -> builtins.int:
    """The index of the first occurrence of `text`, from `offset` on if given, or -1. A negative offset
    fails with `index out of range: <index>`.

    In CEL: 'tea time'.indexOf('t', 1) == 4

    The index of the first element that is equal, or -1.

    In CEL: ['a', 'b'].indexOf('b') == 1
    """

def int(value: builtins.int | builtins.float | timedelta | builtins.str | datetime, /) -> builtins.int:
    """Converts to int: a double toward zero, a decimal string, a timestamp to seconds since 1970, a
    duration to nanoseconds. Out of range: `integer overflow`; a string that is not a decimal number
    fails.

    In CEL: int('42') == 42 && int(1.9) == 1
    """

class _Ip:
    def __call__(self, text: builtins.str | CIDR, /) -> IP:
        """Reads an IPv4 or IPv6 address. Another text, a zone (`fe80::1%eth0`) and IPv4 mapped into IPv6 fail;
        test with `isIP` first.

        In CEL: ip('192.168.0.1').family() == 4

        The address part of the network as written.

        In CEL: cidr('10.0.0.1/16').ip() == ip('10.0.0.1')

        Needs kro 0.9.2 or newer.
        """
    def isCanonical(self, text: builtins.str, /) -> builtins.bool:
        """True when the string is an address written in its canonical form, such as IPv6 shortened and in
        lower case. A string that is not an address fails.

        In CEL: ip.isCanonical('2001:db8::abcd') && !ip.isCanonical('2001:DB8::ABCD')

        Needs kro 0.9.2 or newer.
        """

ip: _Ip

def isCIDR(text: builtins.str, /) -> builtins.bool:
    """True when the string is a network in CIDR notation.

    In CEL: isCIDR('10.0.0.0/16') && !isCIDR('10.0.0.0')

    Needs kro 0.9.2 or newer.
    """

def isGlobalUnicast(value: IP, /) -> builtins.bool:
    """True for unicast addresses that are not link-local; private ones count.

    In CEL: ip('192.168.0.1').isGlobalUnicast()
    """

@overload
def isGreaterThan(value: Quantity, other: Quantity, /) -> builtins.bool: ...
@overload
def isGreaterThan(value: Semver, other: Semver, /) -> builtins.bool:
    """True when the quantity is greater than the other.

    In CEL: quantity('2').isGreaterThan(quantity('1500m'))

    True when the version comes after the other.

    In CEL: semver('1.10.0').isGreaterThan(semver('1.9.0'))
    """

def isIP(text: builtins.str, /) -> builtins.bool:
    """True when the string is an IPv4 or IPv6 address.

    In CEL: isIP('127.0.0.1') && !isIP('127.0.0.1:80')

    Needs kro 0.9.2 or newer.
    """

def isInteger(value: Quantity, /) -> builtins.bool:
    """True when `asInteger()` would succeed.

    In CEL: quantity('2k').isInteger()
    """

@overload
def isLessThan(value: Quantity, other: Quantity, /) -> builtins.bool: ...
@overload
def isLessThan(value: Semver, other: Semver, /) -> builtins.bool:
    """True when the quantity is less than the other.

    In CEL: quantity('50M').isLessThan(quantity('50Mi'))

    True when the version comes before the other.

    In CEL: semver('1.0.0-rc.1').isLessThan(semver('1.0.0'))
    """

def isLinkLocalMulticast(value: IP, /) -> builtins.bool:
    """True for `224.0.0.0/24` and `ff02::/16`.

    In CEL: ip('224.0.0.1').isLinkLocalMulticast()
    """

def isLinkLocalUnicast(value: IP, /) -> builtins.bool:
    """True for `169.254.0.0/16` and `fe80::/10`.

    In CEL: ip('169.254.169.254').isLinkLocalUnicast()
    """

def isLoopback(value: IP, /) -> builtins.bool:
    """True for `127.0.0.0/8` and `::1`.

    In CEL: ip('127.0.0.1').isLoopback()
    """

def isQuantity(text: builtins.str, /) -> builtins.bool:
    """True when the string is a Kubernetes quantity.

    In CEL: isQuantity('1.5G') && !isQuantity('1 G')

    Needs kro 0.9.0 or newer.
    """

def isSemver(text: builtins.str, /) -> builtins.bool:
    """True when the string is a semantic version.

    In CEL: isSemver('1.2.3-rc.1') && !isSemver('v1.2')

    Needs kro 0.9.2 or newer.
    """

def isSorted(value: builtins.list[builtins.int] | builtins.list[builtins.float] | builtins.list[builtins.bool] | builtins.list[timedelta] | builtins.list[datetime] | builtins.list[builtins.str] | builtins.list[builtins.bytes], /) -> builtins.bool:
    """True when no element is smaller than the one before it.

    In CEL: [1, 2, 2].isSorted()

    Needs kro 0.9.0 or newer.
    """

def isURL(text: builtins.str, /) -> builtins.bool:
    """True when the string is an absolute URI or an absolute path.

    In CEL: isURL('/path') && !isURL('path')

    Needs kro 0.7.1 or newer.
    """

def isUnspecified(value: IP, /) -> builtins.bool:
    """True for `0.0.0.0` and `::`.

    In CEL: ip('::').isUnspecified()
    """

@overload
def join(value: builtins.list[builtins.str], /) -> builtins.str: ...
@overload
def join(value: builtins.list[builtins.str], separator: builtins.str, /) -> builtins.str:
    """The strings of a list one after another, with the separator between them. An element that is not a
    string fails with `join: invalid input: <value>`.

    In CEL: ['a', 'b'].join('-') == 'a-b'
    """

class _Json:
    def encode(self, value: Any, /) -> builtins.str:
        """The JSON text of a value by the rules of protobuf: ints beyond 2^53 become strings, durations
        seconds (`3600s`), bytes base64. `json.marshal` keeps numbers as they are. A value without JSON form
        fails, such as a map with keys that are not strings; so does an object or a list that is read from a
        resource or the instance, which `json.marshal` takes.

        In CEL: json.encode({'a': 1}) == '{"a":1}'

        Needs kro 0.9.4.dev or newer.
        """
    def marshal(self, value: Any, /) -> builtins.str:
        """The JSON text of a value as Go writes it: keys sorted, numbers exact, bytes as base64, durations as
        `1h0m0s`, an empty optional as null; the characters <, > and & are escaped. A value without JSON
        form fails with `json.marshal failed to convert value: ...`.

        In CEL: json.marshal({'a': 1}) == '{"a":1}'

        Needs kro 0.9.0 or newer.
        """
    def unmarshal(self, text: builtins.str, /) -> Any:
        """Reads JSON text. The type of the result is not known, and every number in it is a double: convert
        with `int(...)`. Another text fails with `json.unmarshal failed to parse JSON: ...`.

        In CEL: json.unmarshal('{"a": 1}').a == 1.0

        Needs kro 0.9.0 or newer.
        """

json: _Json

def last(value: builtins.list[_V], /) -> Optional[_V]:
    """The last element of the list, as an optional that is empty for an empty list.

    In CEL: [1, 2].last().value() == 2
    """

@overload
def lastIndexOf(value: builtins.str, text: builtins.str, /) -> builtins.int: ...
@overload
def lastIndexOf(value: builtins.str, text: builtins.str, offset: builtins.int, /) -> builtins.int: ...
@overload
def lastIndexOf(value: builtins.list[_A], element: _A, /) -> builtins.int:
    """The index of the last occurrence of `text`, at or before `offset` if given, or -1. A negative offset
    fails with `index out of range: <index>`.

    In CEL: 'tea time'.lastIndexOf('t') == 4

    The index of the last element that is equal, or -1.

    In CEL: ['a', 'b', 'a'].lastIndexOf('a') == 2
    """

class _Lists:
    def insertAtIndex(self, list: builtins.list[_T], index: builtins.int, value: _T, /) -> builtins.list[_T]:
        """The list with an element inserted before the index; the size of the list as index appends.
        `lists.insertAtIndex: index <index> out of bounds [0, <size>]`.

        In CEL: lists.insertAtIndex([1, 3], 1, 2) == [1, 2, 3]

        Needs kro 0.9.0 or newer.
        """
    def range(self, size: builtins.int, /) -> builtins.list[builtins.int]:
        """The integers from 0 up to, not including, `size`. A negative size or one over 1000000 fails.

        In CEL: lists.range(3) == [0, 1, 2]

        Needs kro 0.8.0 or newer.
        """
    def removeAtIndex(self, list: builtins.list[_T], index: builtins.int, /) -> builtins.list[_T]:
        """The list without the element at the index. `lists.removeAtIndex: index <index> out of bounds [0,
        <size>)`.

        In CEL: lists.removeAtIndex([1, 2, 3], 1) == [1, 3]

        Needs kro 0.9.0 or newer.
        """
    def setAtIndex(self, list: builtins.list[_T], index: builtins.int, value: _T, /) -> builtins.list[_T]:
        """The list with the element at the index replaced. `lists.setAtIndex: index <index> out of bounds [0,
        <size>)`.

        In CEL: lists.setAtIndex([1, 2, 3], 1, 5) == [1, 5, 3]

        Needs kro 0.9.0 or newer.
        """

lists: _Lists

def lowerAscii(value: builtins.str, /) -> builtins.str:
    """The string with the letters A to Z made lower case.

    In CEL: 'TEA'.lowerAscii() == 'tea'
    """

def major(value: Semver, /) -> builtins.int:
    """The major number of the version.

    In CEL: semver('1.2.3').major() == 1
    """

@overload
def map(items: builtins.list[_A], transform: Callable[[_A], _T], /) -> builtins.list[_T]: ...
@overload
def map(items: builtins.list[_A], predicate: Callable[[_A], builtins.bool], transform: Callable[[_A], _T], /) -> builtins.list[_T]: ...
@overload
def map(items: Mapping[_K, _V], transform: Callable[[_K], _T], /) -> builtins.list[_T]: ...
@overload
def map(items: Mapping[_K, _V], predicate: Callable[[_K], builtins.bool], transform: Callable[[_K], _T], /) -> builtins.list[_T]:
    """The list of the transformed elements (or keys of a map); with a predicate only those for which it
    holds.

    In CEL: [1, 2, 3].map(x, x * 2) == [2, 4, 6] && [1, 2, 3].map(x, x > 1, x * 2) == [4, 6]
    """

def masked(value: CIDR, /) -> CIDR:
    """The same network with the bits after the prefix set to zero.

    In CEL: cidr('10.0.0.1/16').masked() == cidr('10.0.0.0/16')
    """

def matches(text: builtins.str, pattern: builtins.str, /) -> builtins.bool:
    """True when the RE2 regular expression matches anywhere in the string; write `^...$` to match all of
    it. A pattern that is not a regular expression fails with `error parsing regexp: ...`.

    In CEL: 'web-12'.matches('[0-9]+$')
    """

@overload
def max(value: builtins.list[builtins.int], /) -> builtins.int: ...
@overload
def max(value: builtins.list[builtins.float], /) -> builtins.float: ...
@overload
def max(value: builtins.list[builtins.bool], /) -> builtins.bool: ...
@overload
def max(value: builtins.list[timedelta], /) -> timedelta: ...
@overload
def max(value: builtins.list[datetime], /) -> datetime: ...
@overload
def max(value: builtins.list[builtins.str], /) -> builtins.str: ...
@overload
def max(value: builtins.list[builtins.bytes], /) -> builtins.bytes:
    """The greatest element. Fails with `max called on empty list`.

    In CEL: [1, 3, 2].max() == 3

    Needs kro 0.9.0 or newer.
    """

def merge(value: Mapping[_K, _V], other: Mapping[_K, _V], /) -> builtins.dict[_K, _V]:
    """The entries of both maps; where both have a key the other map wins. Both must have the same types of
    keys and values. A struct is not a map: write `dyn(x).merge(...)`.

    In CEL: {'a': 1, 'b': 2}.merge({'b': 3}) == {'a': 1, 'b': 3}

    Needs kro 0.9.0 or newer.
    """

@overload
def min(value: builtins.list[builtins.int], /) -> builtins.int: ...
@overload
def min(value: builtins.list[builtins.float], /) -> builtins.float: ...
@overload
def min(value: builtins.list[builtins.bool], /) -> builtins.bool: ...
@overload
def min(value: builtins.list[timedelta], /) -> timedelta: ...
@overload
def min(value: builtins.list[datetime], /) -> datetime: ...
@overload
def min(value: builtins.list[builtins.str], /) -> builtins.str: ...
@overload
def min(value: builtins.list[builtins.bytes], /) -> builtins.bytes:
    """The smallest element. Fails with `min called on empty list`.

    In CEL: [3, 1, 2].min() == 1

    Needs kro 0.9.0 or newer.
    """

def minor(value: Semver, /) -> builtins.int:
    """The minor number of the version.

    In CEL: semver('1.2.3').minor() == 2
    """

def omit() -> Any:
    """Removes the field (or list element) that it becomes the value of; allowed only in resource
    templates, and only with kro's feature gate CELOmitFunction, which is off by default. Comparing it
    fails with `omit() is a field-removal sentinel and cannot be compared`.

    In CEL: [true, false].map(x, x ? dyn('kept') : omit()).size() == 2

    Needs kro 0.9.0 or newer.
    """

def optFlatMap(value: Optional[_A], expression: Callable[[_A], Optional[_T]], /) -> Optional[_T]:
    """What `expression`, itself an optional, makes of the value, or an empty optional when there is no
    value.

    In CEL: optional.of({'a': 1}).optFlatMap(x, x.?b).hasValue() == false

    Needs kro 0.9.0 or newer.
    """

def optMap(value: Optional[_A], expression: Callable[[_A], _T], /) -> Optional[_T]:
    """An optional with what `expression` makes of the value, or an empty one when there is no value.

    In CEL: optional.of(1).optMap(x, x + 1).value() == 2

    Needs kro 0.9.0 or newer.
    """

class _Optional:
    def none(self) -> Optional[_V]:
        """An optional without a value; written into a resource it becomes null.

        In CEL: !optional.none().hasValue()

        Needs kro 0.9.0 or newer.
        """
    def of(self, value: _V, /) -> Optional[_V]:
        """An optional that holds the value, even when it is null.

        In CEL: optional.of(1).value() == 1

        Needs kro 0.9.0 or newer.
        """
    def ofNonZeroValue(self, value: _V, /) -> Optional[_V]:
        """An optional that holds the value, or is empty when the value is null, false, zero or empty.

        In CEL: !optional.ofNonZeroValue('').hasValue()

        Needs kro 0.9.0 or newer.
        """
    def unwrap(self, list: builtins.list[Optional[_V]], /) -> builtins.list[_V]:
        """The values of the optionals of a list, without the empty ones. An element that is not optional fails
        with `value <value> is not optional`.

        In CEL: optional.unwrap([optional.of(1), optional.none()]) == [1]

        Needs kro 0.9.0 or newer.
        """

optional: _Optional

def or_(value: Optional[_V], other: Optional[_V], /) -> Optional[_V]:
    """The optional itself when it holds a value, else the other optional, evaluated only then.

    In CEL: optional.none().or(optional.of(2)).value() == 2
    """

def orValue(value: Optional[_V], other: _V, /) -> _V:
    """The value of the optional, else the given value of the same type, evaluated only then.

    In CEL: {'a': 1}.?b.orValue(3) == 3
    """

def patch(value: Semver, /) -> builtins.int:
    """The patch number of the version.

    In CEL: semver('1.2.3').patch() == 3
    """

def prefixLength(value: CIDR, /) -> builtins.int:
    """The number of bits of the prefix.

    In CEL: cidr('10.0.0.0/16').prefixLength() == 16
    """

def quantity(text: builtins.str, /) -> Quantity:
    """Reads a Kubernetes quantity: a number with a suffix such as m, k, M, G, Ki, Mi, Gi. A quantity
    cannot be written into a resource; take `asInteger()` or keep the string. Another text fails with
    `quantities must match the regular expression ...`; test with `isQuantity` first.

    In CEL: quantity('1Gi').isGreaterThan(quantity('500Mi'))

    Needs kro 0.9.0 or newer.
    """

class _Random:
    def seededInt(self, min: builtins.int, max: builtins.int, seed: builtins.str, /) -> builtins.int:
        """An int from `min` up to, not including, `max` that depends only on the arguments. A `min` that is
        not less than `max` fails with `random.seededInt min must be less than max`.

        In CEL: random.seededInt(0, 100, 'seed') == 42

        Needs kro 0.9.0 or newer.
        """
    def seededString(self, length: builtins.int, seed: builtins.str, /) -> builtins.str:
        """A string of lower case letters and digits that depends only on its length and the seed. It repeats
        every 8 characters, so more than 8 make it no more unique. A length below 1 fails with
        `random.seededString length must be positive`.

        In CEL: random.seededString(10, 'seed') == 'qakd42wvqa'
        """

random: _Random

@overload
def replace(value: builtins.str, old: builtins.str, new: builtins.str, /) -> builtins.str: ...
@overload
def replace(value: builtins.str, old: builtins.str, new: builtins.str, limit: builtins.int, /) -> builtins.str:
    """Replaces occurrences of one string by another: all of them, or the first `limit` (all when
    negative).

    In CEL: 'a.b.c'.replace('.', '-', 1) == 'a-b.c'
    """

@overload
def reverse(value: builtins.list[_T], /) -> builtins.list[_T]: ...
@overload
def reverse(value: builtins.str, /) -> builtins.str:
    """The elements in opposite order.

    In CEL: [1, 2, 3].reverse() == [3, 2, 1]

    The characters in opposite order.

    In CEL: 'tea'.reverse() == 'aet'
    """

class _Runtime:
    def condition(self, object: Any, type: builtins.str, /) -> Condition:
        """The condition of the given type in `status.conditions` of an object; its strings are empty when
        there is none. An object, status or conditions of the wrong shape fails.

        In CEL: runtime.condition({'status': {'conditions': [{'type': 'Ready', 'status': 'True'}]}},
        'Ready').status == 'True'

        Needs kro 0.9.3 or newer.
        """
    def newCondition(self, fields: Mapping[builtins.str, builtins.str], /) -> Condition:
        """Makes a status condition. The argument is a map literal with the bare keys `type` and `status`
        (True, False or Unknown), and optionally `reason` and `message`; all values are strings. A value
        that is not a string, an empty type or another status fails.

        In CEL: runtime.newCondition({type: 'Healthy', status: 'True'}).status == 'True'

        Needs kro 0.9.3 or newer.
        """

runtime: _Runtime

def semver(text: builtins.str, /) -> Semver:
    """Reads a semantic version, strictly: three numbers, no leading `v`. Another text fails, for instance
    with `No Major.Minor.Patch elements found`; test with `isSemver` first.

    In CEL: semver('1.2.3').isLessThan(semver('1.10.0'))

    Needs kro 0.9.2 or newer.
    """

def sign(quantity: Quantity, /) -> builtins.int:
    """1, 0 or -1 by the sign of the quantity. It is a global function: `sign(q)`, not `q.sign()`.

    In CEL: sign(quantity('-50k')) == -1
    """

def size(value: builtins.bytes | builtins.list[_A] | Mapping[_A, _B] | builtins.str, /) -> builtins.int:
    """The length of a string in code points, of bytes in bytes, or the number of elements of a list or
    entries of a map. A struct has no size.

    In CEL: size('tea') == 3 && [1, 2].size() == 2
    """

def slice(value: builtins.list[_T], start: builtins.int, end: builtins.int, /) -> builtins.list[_T]:
    """The elements from `start` up to, not including, `end`. Negative indices, `start` after `end` or an
    `end` after the list fail with `cannot slice(...)`.

    In CEL: [1, 2, 3, 4].slice(1, 3) == [2, 3]
    """

@overload
def sort(value: builtins.list[builtins.int], /) -> builtins.list[builtins.int]: ...
@overload
def sort(value: builtins.list[builtins.float], /) -> builtins.list[builtins.float]: ...
@overload
def sort(value: builtins.list[builtins.bool], /) -> builtins.list[builtins.bool]: ...
@overload
def sort(value: builtins.list[timedelta], /) -> builtins.list[timedelta]: ...
@overload
def sort(value: builtins.list[datetime], /) -> builtins.list[datetime]: ...
@overload
def sort(value: builtins.list[builtins.str], /) -> builtins.list[builtins.str]: ...
@overload
def sort(value: builtins.list[builtins.bytes], /) -> builtins.list[builtins.bytes]:
    """The elements in ascending order. They must all be of one type that can be ordered. `list elements
    must have the same type` or `list elements must be comparable`.

    In CEL: [3, 1, 2].sort() == [1, 2, 3]
    """

def sortBy(items: builtins.list[_A], key: Callable[[_A], Any], /) -> builtins.list[_A]:
    """The elements in ascending order of a key, which is computed from each element and must be a number,
    bool, string, bytes, duration or timestamp.

    In CEL: ['bb', 'a'].sortBy(x, size(x)) == ['a', 'bb']

    Needs kro 0.9.0 or newer.
    """

@overload
def split(value: builtins.str, separator: builtins.str, /) -> builtins.list[builtins.str]: ...
@overload
def split(value: builtins.str, separator: builtins.str, limit: builtins.int, /) -> builtins.list[builtins.str]:
    """Cuts the string at every separator, into at most `limit` parts if given (all when negative). An
    empty separator gives the single characters.

    In CEL: 'a,b,c'.split(',') == ['a', 'b', 'c']
    """

def startsWith(value: builtins.str, prefix: builtins.str, /) -> builtins.bool:
    """True when the string begins with the prefix.

    In CEL: 'web-1'.startsWith('web')
    """

def string(value: builtins.str | builtins.bool | builtins.bytes | builtins.float | timedelta | builtins.int | datetime | IP | CIDR, /) -> builtins.str:
    """Converts to string: numbers in their shortest form (`1.0` gives `1`), a duration in seconds
    (`5400s`), a timestamp as RFC 3339. Lists, maps, quantities and URLs have no string form; use
    `json.marshal` for the first two. Bytes that are not UTF-8 fail with `invalid UTF-8 in bytes, cannot
    convert to string`.

    In CEL: string(80) == '80' && string(true) == 'true'

    The canonical text of the address.

    In CEL: string(ip('2001:DB8::1')) == '2001:db8::1'

    The text of the network.

    In CEL: string(cidr('10.0.0.0/16')) == '10.0.0.0/16'
    """

class _Strings:
    def quote(self, text: builtins.str, /) -> builtins.str:
        """The string in double quotes, with special characters escaped.

        In CEL: strings.quote('a') == '"a"'

        Needs kro 0.9.0 or newer.
        """

strings: _Strings

def sub(value: Quantity, other: Quantity | builtins.int, /) -> Quantity:
    """The quantity less another, or an int.

    In CEL: quantity('1k').sub(quantity('1')) == quantity('999')
    """

@overload
def substring(value: builtins.str, start: builtins.int, /) -> builtins.str: ...
@overload
def substring(value: builtins.str, start: builtins.int, end: builtins.int, /) -> builtins.str:
    """The part of the string from `start` up to, not including, `end` (or its end). An index below 0 or
    after the end fails with `index out of range: <index>`. A `start` after `end` fails with `invalid
    substring range`.

    In CEL: 'kubernetes'.substring(0, 4) == 'kube'
    """

@overload
def sum(value: builtins.list[builtins.int], /) -> builtins.int: ...
@overload
def sum(value: builtins.list[builtins.float], /) -> builtins.float: ...
@overload
def sum(value: builtins.list[timedelta], /) -> timedelta:
    """The sum of the numbers or durations of the list, zero when it is empty. Out of range fails as the
    addition does.

    In CEL: [1, 2, 3].sum() == 6

    Needs kro 0.9.0 or newer.
    """

def timestamp(value: datetime | builtins.int | builtins.str, /) -> datetime:
    """Reads a point in time from RFC 3339 text (`2024-01-02T03:04:05Z`), or from seconds since 1970.
    Another text fails with `invalid RFC 3339 timestamp`, a year outside of 1 to 9999 with `timestamp
    overflow`.

    In CEL: timestamp(0) == timestamp('1970-01-01T00:00:00Z')
    """

@overload
def transformList(items: builtins.list[_A], transform: Callable[[builtins.int, _A], _T], /) -> builtins.list[_T]: ...
@overload
def transformList(items: builtins.list[_A], predicate: Callable[[builtins.int, _A], builtins.bool], transform: Callable[[builtins.int, _A], _T], /) -> builtins.list[_T]: ...
@overload
def transformList(items: Mapping[_K, _V], transform: Callable[[_K, _V], _T], /) -> builtins.list[_T]: ...
@overload
def transformList(items: Mapping[_K, _V], predicate: Callable[[_K, _V], builtins.bool], transform: Callable[[_K, _V], _T], /) -> builtins.list[_T]:
    """The list of what each pair of index and element, or key and value, is transformed to; with a
    predicate only where it holds.

    In CEL: ['a', 'b'].transformList(i, v, v + string(i)) == ['a0', 'b1']

    Needs kro 0.9.0 or newer.
    """

@overload
def transformMap(items: builtins.list[_A], transform: Callable[[builtins.int, _A], _T], /) -> builtins.dict[builtins.int, _T]: ...
@overload
def transformMap(items: builtins.list[_A], predicate: Callable[[builtins.int, _A], builtins.bool], transform: Callable[[builtins.int, _A], _T], /) -> builtins.dict[builtins.int, _T]: ...
@overload
def transformMap(items: Mapping[_K, _V], transform: Callable[[_K, _V], _T], /) -> builtins.dict[_K, _T]: ...
@overload
def transformMap(items: Mapping[_K, _V], predicate: Callable[[_K, _V], builtins.bool], transform: Callable[[_K, _V], _T], /) -> builtins.dict[_K, _T]:
    """A map with the same keys (or the indices of a list) and the transformed values; with a predicate
    only where it holds.

    In CEL: {'a': 1}.transformMap(k, v, v + 1) == {'a': 2}

    Needs kro 0.9.0 or newer.
    """

@overload
def transformMapEntry(items: builtins.list[_A], entry: Callable[[builtins.int, _A], Mapping[_B, _T]], /) -> builtins.dict[_B, _T]: ...
@overload
def transformMapEntry(items: builtins.list[_A], predicate: Callable[[builtins.int, _A], builtins.bool], entry: Callable[[builtins.int, _A], Mapping[_B, _T]], /) -> builtins.dict[_B, _T]: ...
@overload
def transformMapEntry(items: Mapping[_K, _V], entry: Callable[[_K, _V], Mapping[_B, _T]], /) -> builtins.dict[_B, _T]: ...
@overload
def transformMapEntry(items: Mapping[_K, _V], predicate: Callable[[_K, _V], builtins.bool], entry: Callable[[_K, _V], Mapping[_B, _T]], /) -> builtins.dict[_B, _T]:
    """The map of the entries that each pair is transformed to: the last argument is a map literal with one
    entry. A key that occurs twice fails.

    In CEL: ['a', 'b'].transformMapEntry(i, v, {v: i}) == {'a': 0, 'b': 1}

    Needs kro 0.9.0 or newer.
    """

def trim(value: builtins.str, /) -> builtins.str:
    """The string without white space at both ends.

    In CEL: '  tea '.trim() == 'tea'
    """

def type(value: _A, /) -> Any:
    """The type of a value at run time; a struct reports `map`. Where an expression cannot name types,
    compare with the type of another value.

    In CEL: type(1) == type(2)
    """

def uint(value: builtins.int | builtins.float | builtins.str, /) -> builtins.int:
    """Converts to uint: a double toward zero, a decimal string without sign. Negative or too large:
    `unsigned integer overflow`; a string that is not a decimal number fails.

    In CEL: uint('42') == 42u
    """

def unwrapOpt(value: builtins.list[Optional[_V]], /) -> builtins.list[_V]:
    """The values of the optionals of the list, without the empty ones. An element that is not optional
    fails with `value <value> is not optional`.

    In CEL: [optional.none(), optional.of(1)].unwrapOpt() == [1]
    """

def upperAscii(value: builtins.str, /) -> builtins.str:
    """The string with the letters a to z made upper case.

    In CEL: 'tea'.upperAscii() == 'TEA'
    """

def url(text: builtins.str, /) -> URL:
    """Reads a URL: an absolute URI or an absolute path. Another text fails with `URL parse error during
    conversion from string: ...`; test with `isURL` first.

    In CEL: url('https://example.com/').getHost() == 'example.com'

    Needs kro 0.7.1 or newer.
    """

def value(value: Optional[_V], /) -> _V:
    """The value of the optional. An empty optional fails with `optional.none() dereference`.

    In CEL: optional.of('a').value() == 'a'
    """

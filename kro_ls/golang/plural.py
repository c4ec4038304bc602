"""Plurals by the rules of the Go module github.com/gobuffalo/flect v1.0.3.

The word tables are complete; oddities such as `dula>bulae` are upstream's. An entry is `singular ending>plural ending`.
"""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=1024)  # asked for each resource of a kind
def plural(kind: str) -> str:
    """Return the plural of a kind after lower-casing it: `WebApp` gives `webapps`.

    The result need not be in lower case, nor a word: `DNS` gives `dnsDNSes`.
    """
    word = kind.lower()
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word in _PLURALS:
        return word
    upper = word.upper()
    if upper in _ACRONYMS:
        return f"{word}{upper}es" if upper.endswith("S") else f"{word}s"
    for ending, plural_ending in _SUFFIX_RULES if word.endswith(_ENDINGS) else ():
        if word.endswith(plural_ending):
            return word
        if word.endswith(ending):
            return word[: -len(ending)] + plural_ending
    return word if word.endswith("s") else f"{word}s"


IRREGULAR_WORDS_AND_SUFFIXES = """
    graffiti>graffiti shoe>shoes formula>formulas agenda>agendas pretorium>pretoriums cookie>cookies movie>movies
    move>moves hive>hives chive>chives thief>thieves hoof>hoofs dwarf>dwarfs rice>rice news>news money>money
    jeans>jeans information>information equipment>equipment tomato>tomatoes potato>potatoes buffalo>buffaloes
    topaz>topazes ache>aches pause>pauses muse>muses misuse>misuses house>houses fuse>fuses excuse>excuses
    cruse>cruses clause>clauses cause>causes abuse>abuses vedalia>vedalias basis>bases base>bases testis>testes
    thesis>theses oasis>oases genesis>geneses ellipsis>ellipses crisis>crises helix>helices radix>radices
    appendix>appendices vortex>vortices vertex>vertices latex>latices index>indices codex>codices apex>apices uva>uvae
    praecava>praecavae postcava>postcavae larva>larvae vita>vitae minutia>minutiae differentia>differentiae
    vertebra>vertebrae alumna>alumnae genus>genera corpus>corpora syllabus>syllabi radius>radii octopus>octupuses
    nucleus>nuclei locus>loci focus>foci coccus>cocci cactus>cacti bacillus>bacilli alumnus>alumni quota>quotas
    curriculum>curriculums symposium>symposia auditorium>auditoria aquarium>aquaria stadium>stadiums medium>media
    media>media taxon>taxa phenomenon>phenomena noumenon>noumena mitochondrion>mitochondria lexicon>lexica
    ganglion>ganglia criterion>criteria bureau>bureaus fabliau>fabliaux adieu>adieux person>people woman>women
    tooth>teeth mouse>mice human>humans man>men goose>geese foot>feet child>children you>you tuna>tuna trout>trout
    swine>swine species>species shrimp>shrimp sheep>sheep series>series salmon>salmon police>police moose>moose
    fish>fish deer>deer chassis>chassis blues>blues bison>bison beef>beef aircraft>aircraft
"""
"""Irregular words; each is a suffix rule as well, in this order."""

IRREGULAR_WORDS = """
    ox>oxen louse>lice die>dice axis>axes alias>aliases use>uses toe>toes
"""
"""Irregular words that are not suffix rules."""

PLURALS = """
    beefs fishes salmons shrimps swines trouts tunas adieus bureaux ganglions lexicons mitochondrions mediums stadia
    aquariums auditoriums symposiums curricula alumnuses cactuses focuses locuses nucleuses octopi radiuses corpuses
    apexes codexes indexes latexes vertexes vortexes appendixes radixes helixes buffalos dwarves hooves formulae
"""
"""Further words that are plurals already."""

ACRONYMS = "AES BSS CMOS DES DNS ESS FCS HTTPS IDS IPS MPLS POTS SSH EIA TIA"
"""The acronyms that end otherwise than the suffix rules would have it."""

SUFFIXES = """
    tive>tives eaf>eaves oaf>oaves afe>aves arf>arves rfe>rves rf>rves lf>lves fe>ves ay>ays ey>eys oy>oys quy>quies
    uy>uys y>ies eau>eaux bula>bulae dula>bulae lula>bulae nula>bulae vula>bulae hedron>hedra ium>ia seum>seums eum>ea
    oum>oa stracum>straca dum>da elum>ela ilum>ila olum>ola ulum>ula llum>lla ylum>yla imum>ima ernum>erna gnum>gna
    brum>bra crum>cra terum>tera serum>sera trum>tra antum>anta atum>ata entum>enta etum>eta itum>ita otum>ota
    utum>uta ctum>cta ovum>ova trix>trices iasis>iases mesis>meses kinesis>kineses resis>reses gnosis>gnoses
    opsis>opses ysis>yses ouse>ouses lause>lauses us>uses ch>ches io>ios sh>shes ss>sses ez>ezzes iz>izzes tz>tzes
    zz>zzes ano>anos lo>los to>tos oo>oos o>oes x>xes
"""
"""The suffix rules that follow those of the irregular words, in this order."""


def _pairs(table: str) -> list[tuple[str, str]]:
    return [(singular, plural) for singular, _, plural in (entry.partition(">") for entry in table.split())]


_IRREGULAR = dict(_pairs(IRREGULAR_WORDS_AND_SUFFIXES) + _pairs(IRREGULAR_WORDS))
_PLURALS = frozenset(_IRREGULAR.values()) | frozenset(PLURALS.split())
_ACRONYMS = frozenset(ACRONYMS.split())
_SUFFIX_RULES = tuple(_pairs(IRREGULAR_WORDS_AND_SUFFIXES) + _pairs(SUFFIXES))
_ENDINGS = tuple(dict.fromkeys(ending for rule in _SUFFIX_RULES for ending in rule))

"""Plurals of kinds, by flect's rules."""

import pytest

from kro_ls.golang.plural import IRREGULAR_WORDS_AND_SUFFIXES, SUFFIXES, plural


@pytest.mark.parametrize(
    "pair",
    """
    WebApp>webapps Database>databases ClusterPolicy>clusterpolicies Gateway>gateways Ingress>ingresses Proxy>proxies
    Status>statuses Batch>batches Cache>caches Index>indices Matrix>matrices Analysis>analyses Redis>redis Aws>aws
    Sqs>sqs Kubernetes>kubernetes Endpoints>endpoints Apps>apps Canvas>canvas Gas>gas Lens>lens Data>data
    Metadata>metadata Media>media Price>price Lambda>lambda Area>area Idea>idea Beta>beta Zebra>zebra Villa>villa
    Nova>nova Extra>extra Equipment>equipment Fish>fish Series>series Repo>repoes Photo>photos Video>videoes Demo>demoes
    Logo>logoes Cargo>cargoes Safe>saves Cafe>caves Surf>surves Self>selves German>germen Quiz>quizzes Epoch>epoches
    Y>ies Medium>media App1>app1s S3>s3s DNS>dnsDNSes HTTPS>httpsHTTPSes IDS>idsIDSes SSH>sshs Ox>oxen Alias>aliases
    Corpora>corpora Codexes>codexes
    """.split(),
)
def test_plural(pair: str) -> None:
    kind, _, expected = pair.partition(">")
    assert plural(kind) == expected


def test_the_tables_are_pairs() -> None:
    for entry in (IRREGULAR_WORDS_AND_SUFFIXES + SUFFIXES).split():
        singular, arrow, ending = entry.partition(">")
        assert singular
        assert arrow
        assert ending

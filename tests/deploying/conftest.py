"""Fixtures of the tests of deployment."""

from tests.deploying.played_server import server as server

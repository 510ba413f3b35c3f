"""The OpenAPI description agrees with the routes and with what they answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.routing import Route

from demine.web.api.openapi import PATH
from demine.web.app import DOORS, make_app
from tests.web.doors_app import browser, serve


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    path = tmp_path_factory.mktemp("site") / "server.sqlite"
    with serve(make_app(path)) as address, browser(address) as opened:
        yield opened


@pytest.fixture(scope="module")
def described(client: httpx.Client) -> dict[str, Any]:
    found: dict[str, Any] = client.get(PATH).json()
    return found


def test_every_route_about_players_and_games_is_described(described: dict[str, Any]) -> None:
    operations = {
        (method.upper(), path) for path, each in described["paths"].items() for method in each
    }
    assert operations == {(door.method, door.path) for door in DOORS}
    assert len(operations) == len(DOORS)
    routes = {
        (method, each.path)
        for each in make_app(Path("unused")).routes
        if isinstance(each, Route) and each.methods
        for method in each.methods - {"HEAD"}
    }
    assert operations <= routes


def test_every_reference_leads_somewhere(described: dict[str, Any]) -> None:
    for name in set(re.findall(r"#/components/schemas/(\w+)", str(described))):
        assert name in described["components"]["schemas"], name


def test_parts_of_paths_are_parameters(described: dict[str, Any]) -> None:
    for path, each in described["paths"].items():
        for operation in each.values():
            named = {part["name"] for part in operation["parameters"] if part["in"] == "path"}
            assert named == set(re.findall(r"\{(\w+)\}", path))


def test_answers_are_as_described(client: httpx.Client, described: dict[str, Any]) -> None:
    for path, kind in (("/api/me", 200), ("/api/games/nothing", 404)):
        template = path.replace("nothing", "{game_id}")
        answers = described["paths"][template]["get"]["responses"]
        answer = client.get(path)
        assert answer.status_code == kind
        content = answers[str(kind) if str(kind) in answers else "default"]["content"]
        reference = content["application/json"]["schema"]["$ref"].rsplit("/", 1)[1]
        schema = described["components"]["schemas"][reference]
        assert set(schema["required"]) <= set(answer.json()) <= set(schema["properties"])

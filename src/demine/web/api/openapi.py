"""The OpenAPI description of the HTTP part, made from the table of doors."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import msgspec
from starlette.responses import Response
from starlette.routing import Route

from demine import __version__
from demine.web.api.door import ANY_BYTES, JSON_TYPE, Failed, Nothing

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from starlette.requests import Request

    from demine.web.api.door import AnyDoor

PATH: Final = "/api/openapi.json"
_PARAMETER: Final = re.compile(r"\{(\w+)\}")
_REFERENCE: Final = "#/components/schemas/{name}"


def route_of(doors: Sequence[AnyDoor]) -> Route:
    """Return the route that answers with the description of some doors."""
    content = msgspec.json.encode(description(doors))

    async def show(_request: Request) -> Response:
        return Response(content, media_type=JSON_TYPE)

    return Route(PATH, show, methods=["GET"])


def description(doors: Iterable[AnyDoor]) -> dict[str, Any]:
    """Return the OpenAPI 3.1 description of some doors."""
    table = tuple(doors)
    kinds: set[type] = {Failed, *(door.asks for door in table)}
    kinds |= {door.answers for door in table if isinstance(door.answers, type)}
    ordered = sorted(kinds, key=lambda kind: kind.__name__)
    found, components = msgspec.json.schema_components(ordered, ref_template=_REFERENCE)
    schemas = dict(zip(ordered, found, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for door in table:
        paths.setdefault(door.path, {})[door.method.lower()] = _operation(door, schemas, components)
    return {
        "openapi": "3.1.0",
        "info": {"title": "demine", "version": __version__},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "player": {"type": "apiKey", "in": "cookie", "name": "demine"},
            },
        },
    }


def _operation(
    door: AnyDoor, schemas: dict[Any, dict[str, Any]], components: dict[str, Any]
) -> dict[str, Any]:
    answer = partial(_answer, schemas=schemas)
    operation: dict[str, Any] = {
        "summary": door.summary,
        "parameters": [
            *({"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
              for name in _PARAMETER.findall(door.path)),
            *(_query_parameters(components[door.asks.__name__]) if door.reads_query else ()),
        ],
        "responses": {
            str(door.status): answer(door.answers, "What was asked for"),
            "default": answer(Failed, "Why it was not done"),
        },
    }  # fmt: skip
    if door.takes_file:
        schema = {"type": "string", "format": "binary", "maxLength": door.takes_file}
        operation["requestBody"] = _body(ANY_BYTES, schema)
    elif not door.reads_query and door.asks is not Nothing:
        operation["requestBody"] = _body(JSON_TYPE, schemas[door.asks])
    if door.player == "known":
        operation["security"] = [{"player": []}]
    return operation


def _query_parameters(schema: dict[str, Any]) -> list[dict[str, Any]]:
    needed = schema.get("required", ())
    return [
        {"name": name, "in": "query", "required": name in needed, "schema": kind}
        for name, kind in schema.get("properties", {}).items()
    ]


def _body(media_type: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"required": True, "content": {media_type: {"schema": schema}}}


def _answer(
    kind: Any,  # noqa: ANN401 - a type or a media type
    meaning: str,
    *,
    schemas: dict[Any, dict[str, Any]],
) -> dict[str, Any]:
    media_type, schema = (kind, {}) if isinstance(kind, str) else (JSON_TYPE, schemas[kind])
    return {"description": meaning, "content": {media_type: {"schema": schema}}}

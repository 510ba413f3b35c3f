"""Has a server analyse a diagram from standard input: analysis_client.py [ADDRESS]."""

import json
import sys
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen


def main(server: str = "http://127.0.0.1:8080") -> None:
    """Print what the solver says of the diagram."""
    found = analyse(server, {"text": sys.stdin.read(), "prove": "easiest"})
    print("\n".join(found["shown"]["sentences"]))
    for part in ("proof", "trouble"):
        if found[part] is not None:
            print(found[part].get("text") or found[part]["message"])


def analyse(server: str, asked: dict[str, Any]) -> dict[str, Any]:
    """Return the server's answer; ends the program with its sentence if it refuses."""
    headers = {"Content-Type": "application/json", "Accept-Language": "en"}
    request = Request(f"{server}/api/analyse", json.dumps(asked).encode(), headers)  # noqa: S310 - as told
    try:
        with urlopen(request, timeout=60) as answer:  # noqa: S310 - as told
            return dict(json.load(answer))
    except HTTPError as error:
        sys.exit(json.load(error)["error"]["message"])


if __name__ == "__main__":
    main(*sys.argv[1:])

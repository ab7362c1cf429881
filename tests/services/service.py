"""A stand-in of a service's API for pull requests, which keeps what it is sent."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .runner import TOKEN

if TYPE_CHECKING:
    from ..tools.servers import Handler


@dataclass
class Service:
    """A repository with pull requests: what it is asked, and the comments that it has."""

    comments: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    pulls: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    refused: dict[str, int] = field(default_factory=dict[str, int])
    """The status that a method is answered with, instead of success."""

    asked: list[str] = field(default_factory=list[str])
    url: str = ""

    def answer(self, request: Handler) -> None:
        """Answer a request as the service does."""
        path = request.path.removeprefix("/repos/owner/tea")
        self.asked.append(f"{request.command} {path}")
        assert request.headers["Authorization"] == f"Bearer {TOKEN}"
        sent = request.body()
        if status := self.refused.get(request.command):
            request.reply(status, b'{"message": "Resource not accessible by integration"}')
        elif path.startswith("/pulls?"):
            request.reply(200, json.dumps(self.pulls).encode())
        elif request.command == "GET":
            page = int(path.rpartition("page=")[2]) - 1
            request.reply(200, json.dumps(self.comments[100 * page : 100 * page + 100]).encode())
        elif request.command == "PATCH":
            (own,) = (each for each in self.comments if path.endswith(f"/comments/{each['id']}"))
            own["body"] = json.loads(sent)["body"]
            request.reply(200, b"{}")
        else:
            self.add(json.loads(sent)["body"])
            request.reply(201, b"{}")

    def add(self, body: str, kind: str = "Bot") -> None:
        """Add a comment."""
        number = 1_000 + len(self.comments)
        self.comments.append({"id": number, "body": body, "user": {"type": kind}})

"""A headless Chromium that opens a page of ours and hears what the page reports."""

from __future__ import annotations

import json
import shutil
import subprocess
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), "")
DARK = "--blink-settings=preferredColorScheme=0"
LIGHT = "--blink-settings=preferredColorScheme=1"


class Handler(SimpleHTTPRequestHandler):
    """Serves files, notes what is asked for, and takes in what a page reports by POST."""

    def __init__(self, *arguments: Any, said: Queue[Any], asked: list[str], directory: str) -> None:
        self.said, self.asked = said, asked
        super().__init__(*arguments, directory=directory)

    def do_GET(self) -> None:
        self.asked.append(self.path)
        super().do_GET()

    def do_POST(self) -> None:
        self.said.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002


def report_of(folder: Path, page: str, profile: Path, *flags: str) -> tuple[Any, list[str]]:
    """Open a page of the folder; return what it reports, and the paths that were asked for."""
    said: Queue[Any] = Queue()
    asked: list[str] = []
    with served(folder, said, asked) as url, opened(url + page, profile, *flags):
        return said.get(timeout=300), asked


@contextmanager
def served(folder: Path, said: Queue[Any], asked: list[str] | None = None) -> Generator[str]:
    """Serve a folder; yields its address. What pages report, and what is asked for, is noted."""
    handler = partial(
        Handler, directory=str(folder), said=said, asked=[] if asked is None else asked
    )
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@contextmanager
def opened(url: str, profile: Path, *flags: str) -> Generator[None]:
    """Open a page in a headless browser."""
    always = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"]
    browser = subprocess.Popen(
        [CHROMIUM, *always, *flags, f"--user-data-dir={profile}", url],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        browser.terminate()
        browser.wait()

"""Build a site twice in one process, as generators do that watch its files, and tell what it took.

    python twice.py RESULT mkdocs|pelican ARGUMENTS...

The generator is started as its own command is, and told once that a file was saved. Into RESULT go
the seconds of the processor until each build had ended, children included, and where the site is.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

taken: list[float] = []


def tell(site: object) -> None:
    """Note that a build has ended."""
    now = os.times()
    spent = now.user + now.system + now.children_user + now.children_system
    taken.append(spent - sum(taken))
    sitemap = Path(str(site), "sitemap.xml")
    urls = sitemap.read_text("utf-8").count("<loc>") if sitemap.exists() else 0
    RESULT.write_text(json.dumps([taken, urls]), encoding="utf-8")


def mkdocs() -> None:
    """Run `mkdocs serve`, which serves nothing and builds once more."""
    cli = import_module("mkdocs.__main__").cli

    def serve(server: Any, **_: object) -> None:  # noqa: ANN401 - the other generator is not there
        tell(server.root)
        server.builder()
        tell(server.root)

    import_module("mkdocs.livereload").LiveReloadServer.serve = serve
    cli()


def pelican() -> None:
    """Run `pelican --autoreload` until the second build has ended."""
    generator: Any = import_module("pelican")
    build = generator.Pelican.run

    def run(site: object) -> None:
        try:
            build(site)
        except Exception:  # noqa: BLE001 - Pelican would build again and again
            traceback.print_exc()
            os._exit(1)

    def wait(_: object, settings: Mapping[str, Any]) -> set[tuple[int, str]]:
        tell(settings["OUTPUT_PATH"])
        if len(taken) > 1:
            raise KeyboardInterrupt
        return {(1, settings["PATH"])}

    generator.Pelican.run = run
    generator.wait_for_changes = wait
    generator.main()


if __name__ == "__main__":
    RESULT = Path(sys.argv[1])
    del sys.argv[1]
    {"mkdocs": mkdocs, "pelican": pelican}[sys.argv.pop(1)]()

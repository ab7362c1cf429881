"""Extensions and formats are found by name, and loaded only where they are asked for."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from sitemapkit.extensions import registry
from sitemapkit.formats.xml import NAMESPACES_SIZE

if TYPE_CHECKING:
    from pathlib import Path

BUILD = """
import sys; from pathlib import Path
from sitemapkit import Page, build, read_options
options = read_options(OPTIONS, where="test", base_url="https://example.org/")
build([Page("a/", title="A", **PAGE)], options, Path(sys.argv[1]))
print(*sys.modules)
"""
LAZY = {
    *("sitemapkit.extensions.alternates", "sitemapkit.languages"),
    *(f"sitemapkit_extras.extensions.{name}" for name in ("images", "videos")),
    *(f"sitemapkit_extras.formats.{name}" for name in ("html", "atom", "llms", "news")),
    *("sitemapkit_extras.ledger", "sitemapkit_extras.options"),
    *("jinja2", "feedgenerator", "importlib.metadata"),
    *("click", "idna", "langcodes", "protego", "selectolax", "urllib3", "w3lib", "yaml"),
}
LOOKED_FOR = {"importlib.metadata", "sitemapkit_extras.options"}
"""What a build loads that looks for packages."""

TRANSLATED = {"sitemapkit.extensions.alternates", "sitemapkit.languages", "langcodes"}
IMAGES = "sitemapkit_extras.extensions.images"
VIDEOS = "sitemapkit_extras.extensions.videos"
ATOM = "sitemapkit_extras.formats.atom"


@pytest.mark.parametrize(
    ("options", "page", "loaded"),
    [
        ({}, {}, set[str]()),
        ({"images": True}, {}, {*LOOKED_FOR, IMAGES}),
        ({"videos": True}, {}, {*LOOKED_FOR, VIDEOS}),
        ({}, {"meta": {"videos": {"content_loc": "a.mp4"}}}, {*LOOKED_FOR, VIDEOS}),
        ({}, {"lang": "en", "translation_key": "a"}, TRANSLATED),
        ({"formats": ["xml", "atom"]}, {}, {*LOOKED_FOR, ATOM, "feedgenerator"}),
    ],
)
def test_a_build_loads_what_is_asked_for_and_no_more(
    tmp_path: Path, options: dict[str, object], page: dict[str, object], loaded: set[str]
) -> None:
    code = BUILD.replace("OPTIONS", repr(options)).replace("PAGE", repr(page))
    command = [sys.executable, "-c", code, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert LAZY & {*done.stdout.split()} == loaded


WITHOUT = "import sys; sys.modules['sitemapkit_extras'] = None\n"


def test_without_the_extras_an_ordinary_build_is_the_same(tmp_path: Path) -> None:
    code = BUILD.replace("OPTIONS", "{'formats': ['xml', 'gz']}").replace("PAGE", "{'lang': 'en'}")
    for name, program in {"with": code, "without": WITHOUT + code}.items():
        command = [sys.executable, "-c", program, str(tmp_path / name)]
        subprocess.run(command, capture_output=True, text=True, check=True)
    files = sorted(file.name for file in (tmp_path / "with").iterdir())
    assert files == sorted(file.name for file in (tmp_path / "without").iterdir())
    for name in files:
        assert (tmp_path / "with" / name).read_bytes() == (tmp_path / "without" / name).read_bytes()


def test_as_many_bytes_are_kept_free_as_the_namespaces_of_an_entrys_fields_take() -> None:
    declared = [registry.load(name).NAMESPACE.declaration for name in registry.FIELDS]
    assert len("".join(declared)) == NAMESPACES_SIZE


def test_each_extension_is_what_the_registry_says() -> None:
    for name in registry.FIELDS:
        assert {"NAMESPACE", "find", "xml"} <= vars(registry.load(name)).keys()

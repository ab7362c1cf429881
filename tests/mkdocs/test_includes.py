"""What pages take in: watched while one page renders, and nowhere else."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config

from .conftest import PLAIN, replaceable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from .conftest import Site

FIRST, LATER = "2024-05-06T07:08:09Z", "2024-06-07T08:09:10Z"

INCLUDE = """
import re
from pathlib import Path

ROOT = Path(__file__).parent

def on_page_markdown(markdown, page, config, files):
    return re.sub("<<(.*?)>>", lambda name: (ROOT / name[1]).read_text(encoding="utf-8"), markdown)
"""
"""A hook that puts files on pages."""

OPENS = """
import builtins

SEEN = {}

def look(event):
    SEEN.setdefault(hasattr(builtins.open, "__wrapped__"), []).append(event)

def on_files(files, config): look("files")
def on_pre_page(page, config, files): look("before")
def on_page_markdown(markdown, page, config, files): look("inside")
def on_page_content(html, page, config, files): look("after")
def on_env(env, config, files): look("env")
def on_post_page(output, page, config): look("rendered")
def on_post_build(config):
    print(SEEN)
"""


pytestmark = pytest.mark.usefixtures("nothing_is_replaced_afterwards")


@pytest.fixture
def committed(site: Callable[..., Site]) -> Callable[..., Site]:
    """Return a function that writes a site with a hook that includes, commits it, and builds it."""

    def make(files: Mapping[str, str | None], *, hook: str = INCLUDE, **settings: Any) -> Site:
        made = site({**files, "hook.py": hook}, **{"hooks": ["hook.py"], **settings})
        made.commit(FIRST)
        made.build()
        return made

    return make


def dates(made: Site) -> Mapping[str, str | None]:
    """Build, and return {path: lastmod}."""
    made.build()
    lastmods = [said.get("lastmod") for said in made.entries().values()]
    return dict(zip(made.paths(), lastmods, strict=True))


def test_a_page_is_as_new_as_the_text_that_it_takes_in(committed: Callable[..., Site]) -> None:
    files = {"docs/a.md": "# A\n\n<<part.txt>>", "docs/b.md": "# B", "part.txt": "Green tea."}
    made = committed(files)
    made.write({"part.txt": "Black tea."})
    made.commit(LATER)
    assert dates(made) == {"": FIRST, "a/": LATER, "b/": FIRST}


def test_the_option_dependencies_turns_included_text_off(committed: Callable[..., Site]) -> None:
    files = {"docs/a.md": "# A\n\n<<part.txt>>", "part.txt": "Green tea."}
    made = committed(files, plugins=[{"sitemapkit": {"dependencies": False}}])
    made.write({"part.txt": "Black tea."})
    made.commit(LATER)
    assert dates(made)["a/"] == FIRST


def test_a_page_with_text_that_git_does_not_know_has_no_date(
    committed: Callable[..., Site], tmp_path: Path
) -> None:
    (tmp_path / "outside.txt").write_text("Black tea.", encoding="utf-8")
    files = {"docs/a.md": "# A\n\n<<part.txt>>", "docs/b.md": "# B\n\n<<../outside.txt>>"}
    made = committed({**files, "part.txt": "Green tea."})
    made.git("rm", "--quiet", "--cached", "part.txt")
    made.commit(LATER, "docs")
    assert dates(made) == {"": FIRST, "a/": None, "b/": None}


def test_files_are_watched_from_reading_a_page_until_it_is_html(
    committed: Callable[..., Site], capsys: pytest.CaptureFixture[str]
) -> None:
    committed({"docs/a.md": "# A"}, hook=OPENS)
    assert capsys.readouterr().out.strip() == str(
        {
            False: ["files", "before", "after", "before", "after", "env", "rendered", "rendered"],
            True: ["inside", "inside"],
        }
    )


FAILS = """
def on_page_markdown(markdown, page, config, files):
    assert open.__wrapped__
    raise {}
"""


@pytest.mark.parametrize("error", ["RuntimeError('x')", "OSError('x')"])
def test_after_an_error_nothing_is_watched(site: Callable[..., Site], error: str) -> None:
    made = site({"hook.py": FAILS.format(error)}, hooks=["hook.py"])
    with pytest.raises(Exception, match="x"):
        made.build()
    assert replaceable() == PLAIN


def test_after_an_interruption_nothing_is_watched(site: Callable[..., Site]) -> None:
    made = site({"hook.py": FAILS.format("KeyboardInterrupt")}, hooks=["hook.py"])
    config = load_config(str(made.root / "mkdocs.yml"))
    config.plugins.on_startup(command="build", dirty=False)
    with pytest.raises(KeyboardInterrupt):
        build(config)
    assert replaceable() != PLAIN
    config.plugins.on_shutdown()  # as the command does, however the build ended
    assert replaceable() == PLAIN


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"markdown_extensions": ["admonition", "footnotes", "smarty", "markdown.extensions.extra"]},
        {"plugins": ["search", "sitemapkit"]},
        {"hooks": ["late.py"]},
        {"hooks": ["hook.py"], "plugins": [{"sitemapkit": {"lastmod": False}}]},
        {"hooks": ["hook.py"], "plugins": [{"sitemapkit": {"lastmod": ["metadata", "ledger"]}}]},
        {"hooks": ["hook.py"], "plugins": [{"sitemapkit": {"dependencies": False}}]},
    ],
)
def test_nothing_is_watched_where_nothing_can_take_text_in(
    site: Callable[..., Site], settings: dict[str, Any]
) -> None:
    late = "def on_env(env, config, files): ..."
    made = site({"hook.py": INCLUDE, "late.py": late}, **settings)
    config = load_config(str(made.root / "mkdocs.yml"))
    config.plugins.on_startup(command="build", dirty=False)
    build(config)
    assert "sitemapkit/includes" not in config.plugins
    assert all(isinstance(extension, str) for extension in config.markdown_extensions)


@pytest.mark.parametrize(
    "settings",
    [{"markdown_extensions": ["house"]}, {"hooks": ["hook.py"]}],
)
def test_hooks_and_extensions_that_are_not_known_are_watched(
    site: Callable[..., Site], settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    extension = "from markdown.extensions.tables import makeExtension\n"
    made = site({"hook.py": INCLUDE, "lib/house.py": extension}, **settings)
    monkeypatch.syspath_prepend(made.root / "lib")
    config = load_config(str(made.root / "mkdocs.yml"))
    config.plugins.on_startup(command="build", dirty=False)
    build(config)
    assert "sitemapkit/includes" in config.plugins
    sys.modules.pop("house", None)


def test_builds_again_with_one_configuration_are_watched_once(
    committed: Callable[..., Site],
) -> None:
    files = {"docs/a.md": "# A\n\n<<part.txt>>", "part.txt": "Green tea."}
    made = committed(files)
    config = load_config(str(made.root / "mkdocs.yml"))
    config.plugins.on_startup(command="build", dirty=False)
    build(config)
    made.write({"part.txt": "Black tea."})
    made.commit(LATER)
    build(config)
    assert made.entries()["https://example.org/a/"]["lastmod"] == LATER


def test_text_that_no_file_explains_is_remarked_once(committed: Callable[..., Site]) -> None:
    words = " ".join(f"word{n}" for n in range(30))
    hook = (
        f"def on_page_markdown(markdown, page, **_):\n    return markdown.replace('...', '{words}')"
    )
    files = {"docs/a.md": "# A\n\n...", "docs/b.md": "# B\n\n...", "docs/c.md": "# C"}
    made = committed(files, hook=hook)
    (line,) = [line for line in made.build() if "git-partly" in line]
    assert line.startswith("INFO")
    assert "a.md: Some pages show text that is in no file" in line
    assert "1 more like this." in line
    made.configure(plugins=[{"sitemapkit": {"ledger": "ledger.txt"}}])
    assert not [line for line in made.build() if "git-partly" in line]


def test_a_few_words_that_no_file_has_are_not_worth_a_remark(
    committed: Callable[..., Site],
) -> None:
    hook = (
        "def on_page_markdown(markdown, page, **_):\n    return markdown + '\\n\\nEdited by Ann.'"
    )
    made = committed({"docs/a.md": "# A"}, hook=hook)
    assert not [line for line in made.build() if "git-partly" in line]


@pytest.mark.parametrize(
    "shown",
    [
        "---\ntitle: a: {}\n---\n\nTea.",
        "---\n\nSteep it for {} minutes.\n\n---\n\nTea.",
        "---\n- {}\n---\n\nTea.",
        "\n---\ntitle: {}\n---\n\nTea.",
        '+++\ntitle = "{}"\n+++\n\nTea.',
    ],
)
def test_front_matter_that_is_shown_as_text_is_text(
    shown: str, committed: Callable[..., Site]
) -> None:
    valid = "---\ntitle: {}\n---\n\nTea."
    made = committed({"docs/a.md": shown.format(1), "docs/b.md": valid.format(1)})
    made.write({"docs/a.md": shown.format(2), "docs/b.md": valid.format(2)})
    made.commit(LATER)
    assert dates(made) == {"": FIRST, "a/": LATER, "b/": FIRST}

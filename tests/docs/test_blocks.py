"""Every block of code in the manual and beside it: built, run, loaded, or compared as output.

A tutorial is followed from nothing (`test_tutorials.py`). The other pages speak to somebody who
has a site: what they add to a file of settings is added to that of a small site, which is then
built for real, with warnings as errors, and checked.
"""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
import threading
import tomllib
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
import yaml
from check_jsonschema import main as check_jsonschema
from click.testing import CliRunner

from ..environments import python_with
from .reader import PAGES, ROOT, Block, Reader, blocks, home

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

SITE = Path(__file__).parent / "site"
SOURCE = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]["Source"]
SERVICES = {
    ".forgejo/workflows/": "github-workflows",
    ".github/workflows/": "github-workflows",
    ".gitlab-ci.yml": "gitlab-ci",
    ".readthedocs.yaml": "readthedocs",
}
"""Services whose files have a published schema, and its name."""

SHOWS = {
    r"formats: \[.*\bhtml": r"(?s)sitemap\.html:.*<table",
    r"formats: \[.*\batom": r"(?s)sitemap\.atom:.*<entry>",
    r"formats: \[.*\bllms": r"(?s)llms\.txt:# .*\n- \[.*\]\(https://example\.org/",
    r"indexnow_key: (\w+)": r"(?m)^{0}\.txt:{0}$",
    r"(?m)^ +news:": r"sitemap-news\.xml:",
    r"exclude: \[drafts/\]": r"\A(?!(?s:.*)<loc>[^<]*drafts/)",
    r"match: blog/\n +priority: (\S+)": r"blog/first/</loc>.*<priority>{0}<",
    r"match: brewing/\n +priority: (\S+)": r"brewing/</loc>.*<priority>{0}<",
    r"\A---\npriority: (\S+)": r"brewing/</loc>.*<priority>{0}<",
    r"images: \[([\w.]+)": r"<image:loc>https://example\.org/(?:brewing/)?{0}<",
    r"videos:\n +- title: (.*)": r"<video:title>{0}<",
    r"sitemap_languages": r'hreflang="de"',
    r"lastmod: (\S+)\n": r"<lastmod>{0}<",
    r"entry.priority = (\S+)": r"tutorial/first\S*</loc>.*<priority>{0}<",
    r"\A:priority: (\S+)": r"brewing\S*</loc>.*<priority>{0}<",
}
"""What is said in settings or in a page, and what of it must be seen in the output."""


FOLLOWED_IN_PROJECTS = (
    *("hugo.md", "javascript-sites.md", "jekyll.md", "mdbook.md", "myst.md", "quarto.md"),
    "zensical.md",
)
"""Pages about generators without a plugin, which are followed in projects of these."""


def pages() -> list[Path]:
    """All pages with blocks but the tutorials, and those about other generators."""
    beside = [*ROOT.glob("*.md"), *ROOT.glob(".github/*.md"), ROOT / "example-sites" / "README.md"]
    manual = [
        page
        for page in PAGES.rglob("*.md")
        if not page.name.startswith("tutorial-") and page.name not in FOLLOWED_IN_PROJECTS
    ]
    return [page for page in sorted([*beside, *manual]) if any(blocks(page))]


def is_read_elsewhere(block: Block) -> bool:
    """Return whether it is an example of one option, which `test_reference.py` reads.

    Not all can be built in one site: some of them say where another site is.
    """
    return block.is_in_tab and block.place.startswith("docs/pages/options.md:")


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


class Owner(Reader):
    """Follows a page in the folder of a site that is there, in a version for each generator."""

    server = ""

    def do(self, block: Block) -> None:
        """Do what one block says."""
        if not is_read_elsewhere(block):
            super().do(block)

    def put(self, block: Block) -> None:
        """Write a file, and do with it what it is for."""
        uses: dict[str, Callable[[Block], object]] = {
            r"(docs/)?requirements\.txt": lambda block: self.resolve(block.text, block.place),
            r"docs/(?!.*\.md$).*": lambda block: self.keep(block, str),
            r"mkdocs\.yml|docs/.*\.md": self.build_mkdocs,
            r"(pelican|publish)conf\.py|content/.*": self.build_pelican,
            r"conf\.py|.*\.rst": self.build_sphinx,
            r"\.(forgejo|github)/workflows/.*": self.let_a_service_run,
            r"\.gitlab-ci\.yml|\.readthedocs\.yaml": self.let_a_service_run,
            r"\.pre-commit-config\.yaml": self.let_pre_commit_read,
            r"netlify\.toml": lambda block: self.run_ci(tomllib.loads(block.text), block),
            r".*\.toml": lambda block: self.keep(block, tomllib.loads),
            r".*\.json": lambda block: self.keep(block, json.loads),
            r".*\.xml": lambda block: self.keep(block, ET.fromstring),
            r"(core|tools|tests)/.*\.py": lambda block: self.keep(
                block, lambda text: ast.parse(dedent(text))
            ),
            r".*\.py": self.run_python,
        }
        use = next((use for name, use in uses.items() if re.fullmatch(name, block.name)), None)
        assert use, f"{block.place}: nobody knows what `{block.name}` is for"
        use(block)

    # Settings and pages

    def build_mkdocs(self, block: Block) -> None:
        """Build the MkDocs site with these settings, or with this page."""
        inherit = "INHERIT: base.yml\n" if block.name == "mkdocs.yml" else ""
        self.write(block.name, inherit + block.text)
        self.type("mkdocs build --strict --quiet", block.place)
        self.check("site", block)

    def build_pelican(self, block: Block) -> None:
        """Build the Pelican site with these settings, or with this page."""
        is_settings = block.name.endswith("conf.py")
        base = (SITE / "pelicanconf.py").read_text() if is_settings else ""
        self.write(block.name, f"{base}{block.text}")
        settings = block.name if is_settings else "pelicanconf.py"
        self.type(
            f"pelican --quiet --delete-output-directory --fatal warnings --settings {settings}",
            block.place,
        )
        self.check("output", block)

    def build_sphinx(self, block: Block) -> None:
        """Build the Sphinx site with these settings, or with this document."""
        is_settings = block.name == "conf.py"
        base = (SITE / "source" / "conf.py").read_text() if is_settings else ""
        self.write(f"source/{block.name}", f"{base}{block.text}")
        self.type("sphinx-build -q -W -E -a -b html source out", block.place)
        self.check("out", block)

    def check(self, out: str, block: Block) -> None:
        """Check what was built, and look for what the block promises."""
        self.type(f"sitemapkit check {out}", block.place)
        files = [
            file
            for pattern in ("sitemap*.*", "llms.txt", "[0-9a-f]*.txt")
            for file in sorted((self.here / out).glob(pattern))
            if file.suffix != ".gz"
        ]
        texts = "\n".join(f"{file.name}:{file.read_text(encoding='utf-8')}" for file in files)
        for said, shown in SHOWS.items():
            if found := re.search(said, block.text):
                expected = shown.format(*map(re.escape, found.groups()))
                assert re.search(expected, texts), f"{block.place}: {expected}\n{texts}"

    # What services run

    def let_a_service_run(self, block: Block) -> None:
        """Hold a file against the service's schema, and run the commands in it."""
        given = yaml.safe_load(block.text)
        if isinstance(given, list):  # steps of a job that the reader has
            job = {"runs-on": "ubuntu-latest", "steps": given}
            given = {"on": "push", "jobs": {"build": job}}
        given = {("on" if key is True else key): value for key, value in given.items()}
        file = self.write(block.name, json.dumps(given))
        schema = next(name for start, name in SERVICES.items() if block.name.startswith(start))
        done = CliRunner().invoke(
            check_jsonschema, ["--builtin-schema", f"vendor.{schema}", str(file)]
        )
        assert done.exit_code == 0, f"{block.place}: {done.output}"
        self.run_ci(given, block)

    def let_pre_commit_read(self, block: Block) -> None:
        """Let pre-commit say whether it takes the file, and look whether our hook is there."""
        file = self.write(block.name, block.text)
        command = [sys.executable, "-m", "pre_commit", "validate-config", str(file)]
        subprocess.run(command, check=True)
        hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
        assert {hook["id"] for hook in hooks} >= set(re.findall(r"id: (\S+)", block.text))

    def run_ci(self, given: Any, block: Block) -> None:
        """Run the commands in a file of a service, but what installs packages."""
        for command in commands_in(given):
            if command.startswith("pip install"):
                self.resolve(command, block.place)
                continue
            if "origin gh-pages" in command:
                self.deploy(block.place)
            send = f"--send --endpoint {self.server}sitemap"  # nothing changed: nothing is sent
            self.type(command.replace("--send", send), block.place)

    def deploy(self, place: str) -> None:
        """Push the site to the branch from which it is deployed."""
        push = "git push --quiet ../origin HEAD:gh-pages"
        commit = "git init --quiet && git add . && git commit --quiet --message Deploy"
        self.type(
            "git init --quiet --bare ../origin\n"
            "git remote add origin ../origin\n"
            f"cp -r site ../pushed\n(cd ../pushed && {commit} && {push})",
            place,
        )

    def resolve(self, requirements: str, place: str) -> str:
        """Look whether what is installed of ours exists."""
        project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
        for extra in re.findall(r"sitemapkit\[(\w+)\]", requirements):
            assert extra in project["optional-dependencies"], place
        return ""

    # Other files

    def keep(self, block: Block, read: Callable[[str], object]) -> None:
        """Write a file that can be read."""
        read(block.text)
        self.write(block.name, block.text)

    def run_python(self, block: Block) -> None:
        """Run a program."""
        file = self.write(block.name, block.text)
        self.type(f"python -W error {file.name}", block.place)

    # Commands

    def type(self, commands: str, place: str) -> str:
        """Type commands; what asks the reader's own site asks a server here."""
        if all(line.startswith("make ") for line in commands.splitlines()):
            return self.plan(commands)
        if commands.startswith("pip install"):  # as a tutorial does, in an environment of its own
            return self.resolve(commands, place)
        commands = commands.replace(f"git+{SOURCE}", str(ROOT))
        commands = re.sub(r"(?<=check )https://example\.org/(?=\n)", self.server, commands)
        return super().type(
            commands.replace("https://example.org/sitemap", f"{self.server}sitemap"), place
        )

    def plan(self, commands: str) -> str:
        """Let make say what it would do: it runs the tests, of which this is one."""
        for line in commands.splitlines():
            command = ["make", "--dry-run", *line.split()[1:]]
            subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
        return ""


def commands_in(given: Any) -> list[str]:
    """Return the commands in the file of a service."""
    if isinstance(given, list):
        return [command for each in given for command in commands_in(each)]
    if not isinstance(given, dict):
        return []
    found: list[str] = []
    exports = "".join(f"export {name}={value}\n" for name, value in given.get("env", {}).items())
    for key, value in given.items():
        if key in ("run", "script", "command", "post_checkout"):
            found += [exports + each for each in ([value] if isinstance(value, str) else value)]
        else:
            found += commands_in(value)
    return found


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small site in a repository, built by MkDocs into `site`, and `public` by something else."""
    folder = tmp_path_factory.mktemp("owner") / "tea"
    built = shutil.ignore_patterns("site", "output", "_build", "__pycache__")
    shutil.copytree(SITE, folder)
    shutil.copytree(ROOT / "example-sites", folder / "example-sites", ignore=built)
    (folder / ".venv").symlink_to(sys.prefix)
    owner = Reader(folder, home(folder, Path(sys.executable).parent))
    owner.type("git init --quiet\ngit add .\ngit commit --quiet --message Tea", "the site")
    owner.type("mkdocs build --strict --quiet", "the site")
    return folder


def programs(page: Path) -> list[Path]:
    """Return the folders of the programs that a page needs."""
    text = page.read_text(encoding="utf-8")
    groups = {"lock": r"^uvx ", "material": r"theme: material"}
    needed = [group for group, sign in groups.items() if re.search(sign, text, re.MULTILINE)]
    return [*(python_with(group).parent for group in needed), Path(sys.executable).parent]


@pytest.fixture
def owner(site: Path, page: Path, tmp_path: Path) -> Generator[Owner]:
    """Somebody who has that site, online too."""
    folder = shutil.copytree(site, tmp_path / "tea", symlinks=True)
    handler = partial(SimpleHTTPRequestHandler, directory=str(site / "site"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        made = Owner(folder, home(folder, *programs(page)))
        made.server = f"http://127.0.0.1:{server.server_port}/"
        yield made
        server.shutdown()


@pytest.mark.manual
@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_what_a_page_shows_is_so(page: Path, owner: Owner) -> None:
    owner.follow(page)


@pytest.mark.manual
@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("```yaml\nplugins: []\n```\n", "neither named, nor `console`, nor an output: 'yaml'"),
        ("```\nanything\n```\n", "nor an output: ''"),
        ("A list:\n\n    indented code\n", "nor an output: ''"),
        ("`notes.doc`:\n\n```text\nx\n```\n", "nobody knows what `notes.doc` is for"),
        ('```text title="notes.doc"\nx\n```\n', "nobody knows what `notes.doc` is for"),
        ('=== "A"\n\n    ```console\n    false\n    ```\n', "page.md:3:\nfalse"),
        ('=== "A"\n\n    Text.\n\n=== "B"\n\n    ```console\n    false\n    ```\n', "false"),
        ("- in a list\n\n  ```console\n  false\n  ```\n", "false"),
        ("```console\necho a\n```\n\n```text\nb\n```\n", "page.md:5:\na\n"),
        ("```xml\n<url>\n```\n", "Opening and ending tag mismatch"),
        ("`mkdocs.yml`:\n\n```yaml\nplugins: [no-such]\n```\n", "no-such"),
        ("`.gitlab-ci.yml`:\n\n```yaml\npages: {script: 1}\n```\n", "GitlabCI|gitlab-ci.yml"),
    ],
)
@pytest.mark.parametrize("page", [ROOT / "README.md"])
def test_no_block_escapes(owner: Owner, text: str, wrong: str) -> None:
    page = owner.folder / "page.md"
    page.write_text(text)
    with pytest.raises((AssertionError, SyntaxError), match=wrong):
        owner.follow(page)


def test_each_effect_that_is_looked_for_is_promised_somewhere() -> None:
    texts = [block.text for page in pages() for block in blocks(page) if block.name]
    assert [said for said in SHOWS if not any(re.search(said, text) for text in texts)] == []

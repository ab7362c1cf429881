"""`build` lists what the sitemap of a site's generator lists, less what the pages forbid."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from .conftest import Outcome, index, run, urlset

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

BASE = "https://example.org/"
FORBIDDEN = '<meta name="robots" content="noindex">'


class Made:
    """A finished site, as a generator wrote it."""

    def __init__(self, root: Path, mark: str = "Hugo 0.168.0", base: str = BASE) -> None:
        self.root, self.mark, self.base = root, mark, base
        root.mkdir(parents=True, exist_ok=True)

    def page(self, path: str, head: str = "", lang: str = "en") -> None:
        """Write a page under its path, a folder if that ends with a slash."""
        name = f"{path}index.html" if path == "" or path.endswith("/") else path
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        mark = f'<meta name="generator" content="{self.mark}">' if self.mark else ""
        text = f"<main><h1>{path}</h1><p>Words of {path or 'the home page'}.</p></main>"
        title = f"<title>Page {path}</title>"
        file.write_text(
            f'<!doctype html><html lang="{lang}"><head>{mark}{title}{head}</head>'
            f"<body>{text}</body></html>"
        )

    def pages(self, *paths: str) -> None:
        for path in paths:
            self.page(path)

    def sitemap(self, paths: Iterable[str], name: str = "sitemap.xml", base: str = "") -> None:
        entries = (f"<loc>{base or self.base}{path}</loc>" for path in paths)
        self.put(name, urlset(*entries))

    def put(self, name: str, text: str) -> None:
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def run(self, *flags: str) -> Outcome:
        return run("build", self.root, "--base-url", self.base, *flags)

    def build(self, *flags: str) -> list[str]:
        """Return the paths that are listed now; a second run writes the same."""
        first = self.run(*flags)
        assert first.code == 0, first.stderr
        written = {file: file.read_bytes() for file in self.root.rglob("*sitemap*")}
        assert self.run(*flags).code == 0
        assert written == {file: file.read_bytes() for file in self.root.rglob("*sitemap*")}
        return self.listed()

    def listed(self, name: str = "sitemap.xml") -> list[str]:
        locs = re.findall("<loc>(.*?)</loc>", (self.root / name).read_text())
        return [loc.removeprefix(self.base) for loc in locs]

    def rules(self) -> list[str]:
        """Return the rules of what `check` finds."""
        found = json.loads(run("check", self.root, "--base-url", self.base, "--json").stdout)
        return [each["id"] for each in found["issues"]]


def track(folder: Path, *names: str) -> None:
    """Commit files of a folder, which is made a repository."""

    def git(*arguments: str) -> None:
        own = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        subprocess.run(("git", *own, *arguments), cwd=folder, check=True, capture_output=True)

    git("init", "-b", "main")
    git("add", "-f", *names)
    git("commit", "-m", "a")


def test_a_fresh_build_of_jekyll_without_a_url_is_quiet(tmp_path: Path) -> None:
    made = Made(tmp_path, mark="Jekyll v4.3.4")
    made.pages("", "a.html", "hidden.html")
    made.sitemap(("/", "/a.html"), base=" ")
    made.put("robots.txt", "Sitemap: /sitemap.xml\n")
    said = made.run("--set", "lastmod=generator").stderr
    assert "hidden.html" not in (tmp_path / "sitemap.xml").read_text()
    assert re.findall(r"\[([\w-]+)\]", said) == ["left-out"]
    assert (tmp_path / "robots.txt").read_text().count("Sitemap: ") == 1
    assert run("check", tmp_path, "--base-url", BASE).code == 0


def test_what_the_generator_left_out_is_counted_and_include_brings_it_back(tmp_path: Path) -> None:
    site = Made(tmp_path / "public", "Docusaurus v3.10.2")
    site.pages("", "docs/x/", "docs/internal/", "tags/")
    site.sitemap(("", "docs/x/"))
    before = (site.root / "sitemap.xml").read_text()
    first = site.run("--json")
    report = json.loads(first.stdout)
    why = {each["url"].removeprefix(BASE): each["reason"] for each in report["excluded"]}
    left_out = "left out by the site's own sitemap"
    assert why == {"docs/internal/": left_out, "tags/": left_out}
    assert (
        "The site's own sitemap leaves out pages, so the new one does, too. It leaves out 2 pages."
        in first.stderr
    )
    assert site.build() == ["", "docs/x/"]
    assert "not-listed" not in site.rules()
    site.put("sitemap.xml", before)
    assert site.build("--include", "docs/internal/") == ["", "docs/internal/", "docs/x/"]
    assert "unmatched" not in site.run("--include", "docs/internal/").stderr


def test_other_settings_need_the_generators_sitemap_again(tmp_path: Path) -> None:
    site = Made(tmp_path / "public")
    site.pages("", "a/", "b/")
    site.sitemap(("", "a/"))
    assert site.build() == ["", "a/"]
    written = (site.root / "sitemap.xml").read_bytes()
    for flags in (("--include", "b/"), ("--exclude", "a/")):
        refused = site.run(*flags)
        assert refused.code == 2
        assert "build the site anew" in refused.stderr
        assert (site.root / "sitemap.xml").read_bytes() == written
    site.sitemap(("", "a/"))
    assert site.build("--exclude", "a/") == [""]


def test_pages_that_forbid_it_are_not_listed_whatever_the_sitemap_says(tmp_path: Path) -> None:
    site = Made(tmp_path / "public")
    site.pages("", "a/", "404.html")
    site.page("hidden/", FORBIDDEN)
    site.page("moved/", '<meta http-equiv="refresh" content="0; url=/a/">')
    site.page("copy/", f'<link rel="canonical" href="{BASE}a/">')
    site.put("tags/index.html", "<title>Tags</title><main><h1>Tags</h1></main>")
    site.sitemap(("", "a/", "404.html", "hidden/", "moved/", "copy/", "tags/"))
    assert site.build() == ["", "a/"]


def test_a_folder_with_no_page_in_the_sitemap_is_one_warning(tmp_path: Path) -> None:
    site = Made(tmp_path / "public")
    site.pages("", "a/", "api/x.html", "api/y.html", "storybook/a/", "storybook/b/", "b/")
    site.sitemap(("", "a/"))
    said = site.run("--json")
    warned = [
        each["detail"]
        for each in json.loads(said.stdout)["issues"]
        if each["id"] == "left-out" and each["severity"] == "warning"
    ]
    assert warned == ["It names nothing in api/, storybook/."]


def test_one_sitemap_a_locale_as_docusaurus_writes_them(tmp_path: Path) -> None:
    site = Made(tmp_path / "build", "Docusaurus v3.10.2")
    site.pages("", "a/", "b/", "de/", "de/a/", "de/b/")
    site.sitemap(("", "a/"))
    site.sitemap(("de/", "de/b/"), "de/sitemap.xml")
    assert site.build() == ["", "a/", "de/", "de/b/"]


def test_an_index_of_languages_as_hugo_writes_it(tmp_path: Path) -> None:
    site = Made(tmp_path / "public")
    site.pages("en/", "en/tea/", "en/x/", "de/", "de/tee/")
    site.page("", '<meta http-equiv="refresh" content="0; url=/en/">')
    local = "http://localhost:1313/"
    site.put("sitemap.xml", index(f"{local}en/sitemap.xml", f"{local}de/sitemap.xml"))
    pair = "".join(
        f'<xhtml:link rel="alternate" hreflang="{code}" href="{local}{path}"/>'
        for code, path in (("en", "en/tea/"), ("de", "de/tee/"))
    )
    more = "<changefreq>daily</changefreq><priority>0.8</priority>"
    image = f"<image:image><image:loc>{local}tea.png</image:loc></image:image>"
    tea = f"<loc>{local}en/tea/</loc><lastmod>2020-01-01</lastmod>{more}{pair}{image}"
    site.put("en/sitemap.xml", urlset(f"<loc>{local}en/</loc>", tea))
    site.put("de/sitemap.xml", urlset(f"<loc>{local}de/</loc>", f"<loc>{local}de/tee/</loc>{pair}"))
    assert site.build() == ["de/", "de/tee/", "en/", "en/tea/"]
    written = (site.root / "sitemap.xml").read_text()
    assert f'hreflang="de" href="{BASE}de/tee/"' in written
    assert "<changefreq>daily</changefreq><priority>0.8</priority>" in written
    assert f"<image:loc>{BASE}tea.png</image:loc>" in written
    assert "localhost" not in written
    assert "2020-01-01" not in written


def test_one_sitemap_a_component_as_antora_writes_them(tmp_path: Path) -> None:
    site = Made(tmp_path / "site", "Antora 3.1.10")
    site.pages("a/1.0/index.html", "a/1.0/x.html", "b/index.html", "b/y.html", "b/z.html")
    site.page("", '<meta http-equiv="refresh" content="0; url=a/1.0/index.html">')
    site.put("sitemap.xml", index(f"{BASE}sitemap-a.xml", f"{BASE}sitemap-b.xml"))
    site.sitemap(("a/1.0/index.html", "a/1.0/x.html"), "sitemap-a.xml")
    site.sitemap(("b/index.html", "b/y.html"), "sitemap-b.xml")
    assert site.build() == ["a/1.0/", "a/1.0/x.html", "b/", "b/y.html"]


def test_an_index_of_another_name_as_starlight_writes_it(tmp_path: Path) -> None:
    site = Made(tmp_path / "dist", "Starlight v0.42")
    site.pages("", "a/", "secret/")
    site.put("sitemap-index.xml", index(f"{BASE}sitemap-0.xml"))
    site.sitemap(("", "a/"), "sitemap-0.xml")
    assert site.build() == ["", "a/"]
    assert site.build("--filename", "sitemap-index.xml") == ["", "a/"]
    assert site.listed("sitemap-index.xml") == ["", "a/"]


@pytest.mark.parametrize("base", ["http://localhost:3000/", "http://localhost:3000/book/"])
def test_addresses_of_the_machine_that_made_the_site(tmp_path: Path, base: str) -> None:
    site = Made(tmp_path / "html", "mystmd", "https://example.org/docs/")
    site.pages("", "a/", "b/")
    site.sitemap(("", "a"), base=base)
    assert site.build() == ["", "a/"]


def test_a_dead_address_is_said_and_most_are_another_build(tmp_path: Path) -> None:
    site = Made(tmp_path / "public")
    site.pages("", "a/", "b/")
    site.sitemap(("", "a/", "gone/"))
    assert f"{BASE}gone/" in site.run().stderr
    assert site.build() == ["", "a/"]
    site.sitemap(("", "x/", "y/"))
    said = site.run().stderr
    assert "another build" in said
    assert site.build() == ["", "a/", "b/"]


def test_a_sitemap_that_cannot_be_read_whole_selects_nothing(tmp_path: Path) -> None:
    site = Made(tmp_path / "public")
    site.pages("", "a/", "b/")
    site.put("sitemap.xml", index(f"{BASE}en/sitemap.xml"))
    assert "cannot be read whole" in site.run().stderr
    assert site.build() == ["", "a/", "b/"]


def test_a_sitemap_that_was_copied_from_the_sources_is_a_persons(tmp_path: Path) -> None:
    site = Made(tmp_path / "public")
    site.pages("", "a/", "b/")
    site.sitemap(("", "a/"))
    (tmp_path / "static").mkdir()
    text = (site.root / "sitemap.xml").read_text()
    (tmp_path / "static" / "sitemap.xml").write_text(text)
    track(tmp_path, "static")
    assert site.build() == ["", "a/", "b/"]


def test_a_generators_site_that_is_committed_keeps_its_selection(tmp_path: Path) -> None:
    site = Made(tmp_path / "docs", "quarto-1.9.36")
    site.pages("", "a/", "b/")
    site.sitemap(("", "a/"))
    track(tmp_path, "docs")
    assert site.build() == ["", "a/"]


def test_a_handwritten_site_keeps_gaining_pages(tmp_path: Path) -> None:
    site = Made(tmp_path, mark="")
    site.pages("", "a.html")
    site.sitemap(("", "a.html"))
    track(tmp_path, ".")
    assert site.build() == ["", "a.html"]
    site.page("b.html")
    assert site.build() == ["", "a.html", "b.html"]


def test_an_untracked_sitemap_of_an_unknown_generator_selects(tmp_path: Path) -> None:
    site = Made(tmp_path, mark="")
    site.pages("", "a.html", "b.html")
    site.sitemap(("", "a.html"))
    track(tmp_path, "index.html", "a.html", "b.html")
    assert site.build() == ["", "a.html"]
    assert "the site's own sitemap" in (tmp_path / "sitemap.xml").read_text()


def test_a_sitemap_in_a_folder_is_about_that_folder_alone(tmp_path: Path) -> None:
    site = Made(tmp_path / "public")
    site.pages("", "a/", "blog/", "blog/x/", "blog/draft/")
    site.sitemap(("blog/", "blog/x/"), "blog/sitemap.xml")
    assert site.build() == ["", "a/", "blog/", "blog/x/"]


def test_what_is_no_page_is_listed_if_their_sitemap_lists_it(tmp_path: Path) -> None:
    site = Made(tmp_path / "public")
    site.pages("")
    site.put("paper.pdf", "%PDF")
    site.sitemap(("", "paper.pdf"))
    assert site.build() == ["", "paper.pdf"]


def test_rules_of_the_user_win_over_values_of_their_sitemap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sitemapkit.toml").write_text('[[rules]]\nmatch = "a/"\npriority = 0.9\n')
    site = Made(tmp_path / "public")
    site.pages("", "a/")
    site.put(
        "sitemap.xml",
        urlset(*(f"<loc>{BASE}{each}</loc><priority>0.5</priority>" for each in ("", "a/"))),
    )
    site.build()
    written = (site.root / "sitemap.xml").read_text()
    assert f"<loc>{BASE}a/</loc><priority>0.9</priority>" in written
    assert f"<loc>{BASE}</loc><priority>0.5</priority>" in written


def test_a_sitemap_beside_ours_is_read_anew_whatever_ours_says(tmp_path: Path) -> None:
    site = Made(tmp_path / "dist", "Starlight v0.42")
    site.pages("", "a/", "secret/")
    site.put("sitemap-index.xml", index(f"{BASE}sitemap-0.xml"))
    site.sitemap(("", "a/"), "sitemap-0.xml")
    assert site.build("--include", "secret/") == ["", "a/", "secret/"]
    assert site.build() == ["", "a/"]
    site.sitemap(("",), "sitemap-0.xml")
    assert site.build() == [""]
    assert "not-listed" not in site.rules()


def test_a_sitemap_that_is_there_again_counts_and_not_what_ours_kept_of_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sitemapkit.toml").write_text('formats = ["xml", "gz"]\n')
    site = Made(tmp_path / "public")
    site.pages("", "a/", "b/")
    site.sitemap(("", "a/"))
    assert site.build() == ["", "a/"]
    site.sitemap(("", "b/"))
    assert site.build("--exclude", "a/") == ["", "b/"]


@pytest.mark.parametrize("formats", ['"xml", "txt"', '"txt"'])
def test_a_list_of_urls_that_we_wrote_selects_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, formats: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sitemapkit.toml").write_text(f"formats = [{formats}]\n")
    site = Made(tmp_path / "public", mark="")
    site.pages("", "a.html")
    assert site.run().code == 0
    site.page("b.html")
    assert site.run().code == 0
    assert f"{BASE}b.html" in (site.root / "sitemap.txt").read_text()


def test_a_home_page_without_its_slash_is_at_the_base(tmp_path: Path) -> None:
    site = Made(tmp_path / "html", "mystmd", "https://example.org/docs/")
    site.pages("", "a/", "b/")
    local = "http://localhost:3000/docs"
    site.put("sitemap.xml", urlset(f"<loc>{local}</loc>", f"<loc>{local}/a</loc>"))
    assert site.build() == ["", "a/"]
    site.put("sitemap.xml", urlset(f"<loc>{local}</loc>"))
    assert site.build() == [""]


def test_addresses_outside_the_base_are_left_out_and_said(tmp_path: Path) -> None:
    site = Made(tmp_path / "html", base="https://example.org/docs/")
    site.pages("", "a/", "b/")
    locs = (f"<loc>https://example.org/{each}</loc>" for each in ("docs/", "docs/a/", "shop/"))
    site.put("sitemap.xml", urlset(*locs))
    assert "https://example.org/shop/" in site.run().stderr
    assert site.build() == ["", "a/"]


def test_a_folder_whose_sitemap_is_of_another_build_keeps_its_pages(tmp_path: Path) -> None:
    site = Made(tmp_path / "build", "Docusaurus v3.10.2")
    site.pages("", "a/", "draft/", "de/", "de/a/")
    site.sitemap(("", "a/"))
    site.sitemap(("de/x/", "de/y/", "de/z/"), "de/sitemap.xml")
    assert "another build" in site.run().stderr
    assert site.build() == ["", "a/", "de/", "de/a/"]


def test_sitemaps_of_ours_in_folders_that_were_made_from_the_pages_select_nothing(
    tmp_path: Path,
) -> None:
    part = Made(tmp_path / "part", mark="", base=f"{BASE}de/")
    part.pages("", "a/")
    assert part.build() == ["", "a/"]
    site = Made(tmp_path / "public", mark="")
    part.root.rename(site.root / "de")
    site.pages("", "a/", "de/b/")
    assert site.build() == ["", "a/", "de/", "de/a/", "de/b/"]


@pytest.mark.parametrize("says", ["sitemap: false", "noindex: true"])
def test_the_source_of_a_page_that_their_sitemap_lists_may_forbid_it(
    tmp_path: Path, says: str
) -> None:
    (tmp_path / "hugo.toml").write_text(f'baseURL = "{BASE}"\n')
    content = tmp_path / "content"
    content.mkdir()
    for name, text in (("tea", says), ("cup", "draft: true"), ("pot", "title: pot")):
        (content / f"{name}.md").write_text(f"---\n{text}\n---\nWords of {name}/.\n")
    site = Made(tmp_path / "public")
    site.pages("", "tea/", "cup/", "pot/")
    site.sitemap(("", "tea/", "cup/", "pot/"))
    track(tmp_path, "content", "hugo.toml")
    assert site.build() == ["", "cup/", "pot/"]


def test_a_template_in_the_sources_is_no_persons_sitemap(tmp_path: Path) -> None:
    site = Made(tmp_path / "_site", "Jekyll v4.4.1")
    site.pages("", "a/", "b/")
    site.sitemap(("", "a/"))
    text = (site.root / "sitemap.xml").read_text()
    for front_matter, listed in (("", ["", "a/", "b/"]), ("---\nlayout: null\n---\n", None)):
        (tmp_path / "sitemap.xml").write_text(front_matter + text)
        track(tmp_path, "sitemap.xml")
        site.put("sitemap.xml", text)
        assert site.build() == (listed or ["", "a/", "b/"])
    loop = "---\n---\n{% for page in site.pages %}<loc>{{ page.url }}</loc>{% endfor %}"
    (tmp_path / "sitemap.xml").write_text(loop)
    track(tmp_path, "sitemap.xml")
    site.put("sitemap.xml", text)
    assert site.build() == ["", "a/"]


def test_front_matter_without_end_is_read_in_one_go(tmp_path: Path) -> None:
    site = Made(tmp_path / "public")
    site.pages("")
    site.sitemap(("",))
    (tmp_path / "sitemap.xml").write_text("---\n" + "\n" * 300_000)
    track(tmp_path, "sitemap.xml")
    started = time.monotonic()
    assert site.run().code == 0
    assert time.monotonic() - started < 10


def test_what_stays_undated_is_told_by_kind_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "hugo.toml").write_text(f'baseURL = "{BASE}"\n')
    (tmp_path / "content").mkdir()
    for name in ("tea", "new"):
        (tmp_path / "content" / f"{name}.md").write_text(f"---\nx: y\n---\nWords of {name}/.\n")
    site = Made(tmp_path / "public")
    site.pages("tea/", "new/", "de/a/", "de/b/", "fr/a/")
    track(tmp_path, "content/tea.md", "hugo.toml")
    found = json.loads(site.run("--json").stdout)["issues"]
    said = [each["detail"] for each in found if each["id"] == "undated"]
    assert len(said) == 1
    assert said[0].startswith("4 pages have none, of 5: ")
    assert "of 3 no source is known (2 of them in de/)" in said[0]


def test_an_index_may_name_a_sitemap_of_another_host(tmp_path: Path) -> None:
    site = Made(tmp_path / "public")
    site.pages("", "a/", "b/")
    shop = "https://shop.example.com/sitemap-shop.xml"
    site.put("sitemap.xml", index(f"{BASE}sitemap-pages.xml", shop))
    site.sitemap(("", "a/"), "sitemap-pages.xml")
    assert f"{shop}: " in site.run().stderr
    assert site.build() == ["", "a/"]


def test_a_list_of_urls_and_a_compressed_sitemap_select_too(tmp_path: Path) -> None:
    for number, name in enumerate(("sitemap.txt", "sitemap.xml.gz")):
        site = Made(tmp_path / str(number) / "public")
        site.pages("", "a/", "b/")
        data = urlset(f"<loc>{BASE}</loc>", f"<loc>{BASE}a/</loc>").encode()
        is_text = name.endswith(".txt")
        (site.root / name).write_bytes(
            f"{BASE}\n{BASE}a/\n".encode() if is_text else gzip.compress(data)
        )
        assert site.build() == ["", "a/"]

"""Settings in conf.py and on the command line, and the answer to those that are wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sphinx.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site


def refusal(site: Site, **overrides: Any) -> str:
    with pytest.raises(ConfigError) as error:
        site.build(**overrides)
    return str(error.value)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"sitemap_exclud": []}, "unknown option 'sitemap_exclud'. Did you mean 'sitemap_exclude'"),
        ({"sitemap_zzz": 1}, "unknown option 'sitemap_zzz'. Known options: sitemap_base_url, "),
        (
            {"sitemap_max_urls": 0},
            "option 'sitemap_max_urls' is 0; it must be a whole number from 1",
        ),
        ({"sitemap_rules": [{"match": "x", "priorty": 1}]}, "'sitemap_rules[0].priorty'"),
        ({"sitemap_base_url": "example.org"}, "option 'sitemap_base_url': 'example.org' is not an"),
        ({"sitemap_url_scheme": "{lang}"}, "with {link} at the end"),
        ({"sitemap_url_scheme": "{link}?{lang}"}, "with {link} at the end"),
        ({"sitemap_url_scheme": "{language}{link}"}, "with {link} at the end"),
        ({"sitemap_url_scheme": "{lang.__class__}{link}"}, "is '{lang.__class__}{link}'."),
        ({"sitemap_url_scheme": "{lang!r}{link}"}, "with {link} at the end"),
        ({"sitemap_url_scheme": "{version:>9}{link}"}, "with {link} at the end"),
        ({"sitemap_url_scheme": "{lang}{link}{link}"}, "with {link} at the end"),
        ({"sitemap_url_scheme": "{{}}{link}"}, "with {link} at the end"),
        ({"sitemap_url_scheme": None}, "with {link} at the end"),
        ({"sitemap_excludes": [1]}, "conf.py: option 'sitemap_excludes' is [1]. Allowed: "),
        ({"sitemap_excludes": ["a", None]}, "'sitemap_excludes' is ['a', None]. Allowed: "),
        ({"sitemap_excludes": {"a": "b"}}, "'sitemap_excludes' is {'a': 'b'}. Allowed: "),
        ({"sitemap_excludes": 5}, "'sitemap_excludes' is 5. Allowed: a string, or a list"),
        ({"sitemap_locales": ["de", 1]}, "'sitemap_locales' is ['de', 1]. Allowed: a str"),
    ],
)
def test_a_wrong_setting_stops_the_build_and_names_itself(
    site: Callable[..., Site], settings: dict[str, Any], message: str
) -> None:
    assert message in refusal(site(**settings))


def test_a_country_for_a_language_is_named_once(site: Callable[..., Site]) -> None:
    languages = {"gr": "https://example.org/gr/", "en": "https://example.org/"}
    message = refusal(site(sitemap_languages=languages))
    assert "'gr' is not a language code; use 'el'" in message
    assert message.count("conf.py: ") == 1


def test_all_wrong_settings_are_named_at_once(site: Callable[..., Site]) -> None:
    wrong = {"sitemap_excludes": [1], "sitemap_locales": 2, "sitemap_url_scheme": "{lang}"}
    message = refusal(site(**wrong, sitemap_exclud="x", sitemap_indent=99, sitemap_zzz=1))
    assert message.count("conf.py: ") == 6
    for name in (*wrong, "sitemap_exclud", "sitemap_indent", "sitemap_zzz"):
        assert message.count(f"option {name!r}") == 1


@pytest.mark.parametrize(
    ("settings", "where", "what"),
    [
        ({"html_baseurl": "example.org"}, "html_baseurl", "'example.org' is not an absolute"),
        ({"site_url": "//example.org"}, "site_url", "'//example.org' is not an absolute"),
        ({"html_baseurl": "https://example.org/x "}, "html_baseurl", "'https://example.org/x ' "),
        ({"html_baseurl": "https://example.org/\n"}, "html_baseurl", "'https://example.org/\\n' "),
    ],
)
def test_a_wrong_base_url_is_a_warning_that_names_the_setting(
    site: Callable[..., Site], settings: dict[str, Any], where: str, what: str
) -> None:
    project = site("a", **settings)
    log = project.build(show_warning_types="1")
    assert f"{where}: No sitemap is written" in log.warnings
    assert what in log.warnings
    assert "[sitemap.no-base-url]" in log.warnings
    assert not project.sitemap().exists()


def test_a_wrong_setting_stops_builders_of_other_formats_too(site: Callable[..., Site]) -> None:
    project = site(sitemap_exlude=["x"])
    assert project.run("-q", builder="latex").returncode != 0


def test_functions_and_modules_in_conf_py_may_be_called_what_they_like(
    site: Callable[..., Site],
) -> None:
    code = "import os as sitemap_os\ndef sitemap_helper():\n    pass\n"
    assert site(code=code).build().warnings == ""


def test_a_name_that_another_extension_has_registered_is_not_ours_to_refuse(
    site: Callable[..., Site],
) -> None:
    code = "def setup(app): app.add_config_value('sitemap_colour', '', '')"
    assert site(code=code, sitemap_colour="blue").build().warnings == ""


def test_an_unknown_name_on_the_command_line_is_refused(site: Callable[..., Site]) -> None:
    done = site().run("-q", "-D", "sitemap_exlude=a")
    assert done.returncode != 0
    assert "Did you mean 'sitemap_exclude'" in done.stderr


@pytest.mark.parametrize(
    ("override", "listed"),
    [
        ({"sitemap_exclude": "a.html"}, ["b.html", "index.html"]),
        ({"sitemap_exclude": "a.html,b.html"}, ["index.html"]),
        ({"sitemap_include": "genindex.html"}, ["a.html", "b.html", "genindex.html", "index.html"]),
        ({"sitemap_robots": "0", "sitemap_lastmod": "false"}, ["a.html", "b.html", "index.html"]),
        ({"sitemap_lastmod": "git,metadata"}, ["a.html", "b.html", "index.html"]),
        ({"sitemap_images": "1", "sitemap_title": "2024"}, ["a.html", "b.html", "index.html"]),
    ],
)
def test_options_may_be_given_on_the_command_line(
    site: Callable[..., Site], override: dict[str, str], listed: list[str]
) -> None:
    project = site("a", "b")
    assert project.build(**override).warnings == ""
    assert project.paths() == listed


def test_a_number_on_the_command_line_is_a_number(site: Callable[..., Site]) -> None:
    project = site("a", "b")
    project.build(sitemap_max_urls="2")
    assert "<sitemapindex" in project.sitemap().read_text()


@pytest.mark.parametrize(
    ("name", "value", "number"),
    [
        ("sitemap_indent", "99", 99),
        ("sitemap_indent", "-1", -1),
        ("sitemap_max_urls", "0", 0),
        ("sitemap_max_bytes", "1", 1),
        ("sitemap_indexnow_key", "12", "12"),
        ("sitemap_indent", "two", "two"),
    ],
)
def test_a_wrong_number_on_the_command_line_has_the_same_answer_as_in_conf_py(
    site: Callable[..., Site], name: str, value: str, number: object
) -> None:
    answer = refusal(site(), **{name: value})
    assert f"option {name!r} is {number!r}" in answer
    assert answer == refusal(site(**{name: number}))


def test_an_option_that_a_theme_sets_counts(site: Callable[..., Site]) -> None:
    code = """
def setup(app):
    def decide(app, config):
        config.sitemap_exclude = ["a.html"]
        config.html_baseurl = "https://example.org/docs/"
    app.connect("config-inited", decide)
"""
    project = site("a", "b", code=code, html_baseurl="")
    project.build()
    assert project.paths() == ["b.html", "index.html"]


@pytest.mark.parametrize("before", ["", "https://staging.example.org/"])
@pytest.mark.parametrize(
    ("event", "priority"),
    [("config-inited", 900), ("builder-inited", 500), ("builder-inited", 900), ("env-updated", 0)],
)
def test_a_base_url_that_another_extension_sets_late_is_that_of_pages_and_sitemap(
    site: Callable[..., Site], event: str, priority: int, before: str
) -> None:
    code = f"""
def setup(app):
    def set_base_url(app, _=None):
        app.config.html_baseurl = "https://example.org/docs/"
    app.connect({event!r}, set_base_url, {priority})
"""
    project = site("a", code=code, html_baseurl=before)
    project.commit("2024-01-02T00:00:00Z")
    assert project.build().warnings == ""
    link = '<link rel="canonical" href="https://example.org/docs/a.html"'
    assert link in (project.out() / "a.html").read_text("utf-8")
    assert project.entries()["a.html"] == {"lastmod": "2024-01-02T00:00:00Z"}


def test_our_own_base_url_beats_the_generators(site: Callable[..., Site]) -> None:
    project = site(html_baseurl="", sitemap_base_url="https://example.org/docs")
    project.build()
    assert project.paths() == ["index.html"]


@pytest.mark.parametrize("builder", ["html", "dirhtml", "singlehtml"])
def test_without_a_base_url_there_is_no_file_and_one_warning(
    site: Callable[..., Site], builder: str
) -> None:
    project = site("a")
    del project.settings["html_baseurl"]
    project.configure()
    log = project.build(builder)
    assert not project.sitemap(builder).exists()
    assert log.warnings.count("html_baseurl") == 1
    assert "sitemap" not in log.status.replace("sphinx_sitemapkit", "")


def test_the_warning_without_a_base_url_can_be_silenced(site: Callable[..., Site]) -> None:
    project = site("a", suppress_warnings=["sitemap.no-base-url"])
    del project.settings["html_baseurl"]
    project.configure()
    assert project.build().warnings == ""


def test_a_base_url_left_empty_on_purpose_is_no_warning(site: Callable[..., Site]) -> None:
    project = site("a", html_baseurl="")
    log = project.build()
    assert not project.sitemap().exists()
    assert log.warnings == ""
    assert log.status.count("html_baseurl") == 1


@pytest.mark.parametrize("value", ["/", "./", "//", " ", "https://"])
@pytest.mark.parametrize("setting", ["html_baseurl", "site_url"])
def test_a_base_url_of_another_place_that_is_not_set_here_is_no_warning(
    site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch, setting: str, value: str
) -> None:
    wanted = f'__import__("os").environ.get("READTHEDOCS_CANONICAL_URL", {value!r})'
    project = site("a")
    del project.settings["html_baseurl"]
    project.configure(code=f"{setting} = {wanted}")
    log = project.build()
    assert log.warnings == ""
    assert f"{setting}: No sitemap is written" in log.status
    assert not project.sitemap().exists()
    monkeypatch.setenv("READTHEDOCS_CANONICAL_URL", "https://example.org/docs/")
    assert project.build().warnings == ""
    assert project.paths() == ["a.html", "index.html"]


@pytest.mark.parametrize("names", [["sitemapkit"], ["sitemapkit", "sphinx_sitemapkit"]])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_extension_is_also_called_as_the_plugins_are(
    site: Callable[..., Site], names: list[str], jobs: str
) -> None:
    project = site(*"abcdefgh", extensions=names, sitemap_indent=2)
    project.write({"docs/part.txt": "Included."})
    project.document("a", head=":orphan:", body=".. include:: part.txt")
    project.commit("2021-01-01T00:00:00Z")
    done = project.run("-W", "-j", jobs)
    assert (done.returncode, done.stderr) == (0, "")
    assert project.paths() == [f"{name}.html" for name in [*"abcdefgh", "index"]]
    project.write({"docs/part.txt": "Included later."})
    project.commit("2022-02-02T00:00:00Z")
    project.run("-W", "-j", jobs)
    assert project.entries()["a.html"]["lastmod"].startswith("2022-02-02")


def test_each_line_in_the_log_begins_with_our_name(site: Callable[..., Site]) -> None:
    project = site(sitemap_excludes=["b.html"], show_warning_types=False)
    project.document("a", head=":orphan:\n:priority: high\n")
    project.document("b", head=":orphan:")
    log = project.build()
    source = project.docs / "a.rst"
    assert f"WARNING: sitemapkit: {source}: A metadata value is invalid" in log.warnings
    lines = log.status.splitlines()
    for text in ("not listed: ", "`sitemap_excludes` is applied", "2 pages listed in "):
        assert [line for line in lines if text in line and line.startswith("sitemapkit: ")], text


def test_a_warning_can_be_silenced_by_its_rule(site: Callable[..., Site]) -> None:
    project = site()
    project.document("a", head=":orphan:\n:priority: high")
    assert "[sitemap.bad-metadata]" in project.build(show_warning_types="1").warnings
    assert project.build(suppress_warnings="sitemap.bad-metadata").warnings == ""


def test_images_are_listed_where_the_option_says_so(site: Callable[..., Site]) -> None:
    project = site("a", sitemap_images=True)
    project.write({"docs/img/übung.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>"})
    project.document("sub/page", head=":orphan:", body=".. image:: /img/übung.svg\n")
    project.build("dirhtml")
    xml = project.sitemap("dirhtml").read_text()
    assert xml.count("<image:loc>") == 1
    assert "<image:loc>https://example.org/docs/_images/%C3%BCbung.svg</image:loc>" in xml


LANGUAGES = {"en": "https://example.org/docs/", "pt_BR": "https://example.org/pt/"}


def test_builds_of_other_languages_become_hreflang_links_with_self_and_x_default(
    site: Callable[..., Site],
) -> None:
    project = site("a", sitemap_languages=LANGUAGES)
    project.build()
    english = project.sitemap().read_text()
    project.build(language="pt_BR", html_baseurl="https://example.org/pt/")
    portuguese = project.sitemap().read_text()
    links = [
        '<xhtml:link rel="alternate" hreflang="en" href="https://example.org/docs/a.html"/>',
        '<xhtml:link rel="alternate" hreflang="pt-BR" href="https://example.org/pt/a.html"/>',
        '<xhtml:link rel="alternate" hreflang="x-default" href="https://example.org/docs/a.html"/>',
    ]
    for xml in (english, portuguese):
        assert all(xml.count(link) == 1 for link in links)


def test_x_default_may_be_another_language_or_none(site: Callable[..., Site]) -> None:
    project = site("a", sitemap_languages=LANGUAGES)
    project.build(sitemap_x_default="pt_BR")
    assert 'hreflang="x-default" href="https://example.org/pt/' in project.sitemap().read_text()
    project.configure(sitemap_x_default="")
    project.build()
    assert "x-default" not in project.sitemap().read_text()
    assert 'hreflang="en"' in project.sitemap().read_text()


def test_the_feed_and_the_page_for_people_have_the_titles_of_project_and_documents(
    site: Callable[..., Site],
) -> None:
    project = site("lute", project="Strings & things", sitemap_formats=["xml", "html", "atom"])
    project.commit("2021-01-01T00:00:00Z")
    project.build(language="de")
    page = (project.out() / "sitemap.html").read_text("utf-8")
    assert '<html lang="de"' in page
    assert ">lute</a>" in page
    feed = (project.out() / "sitemap.atom").read_text("utf-8")
    assert "<title>Strings &amp; things</title>" in feed
    assert "<title>lute</title>" in feed


@pytest.mark.parametrize(
    "arguments", [(), ("-W",), ("-T", "-v"), ("-Q",)], ids=["as it is", "-W", "-T -v", "-Q"]
)
def test_a_wrong_setting_is_all_that_sphinx_says(
    site: Callable[..., Site], arguments: tuple[str, ...]
) -> None:
    done = site(sitemap_exlude=["a"]).run(*arguments)
    assert done.returncode == 2
    said = "conf.py: unknown option 'sitemap_exlude'. Did you mean 'sitemap_exclude'?\nSee "
    assert done.stderr.startswith(f"ERROR: sitemapkit: {said}")
    assert len(done.stderr.splitlines()) == 2


def test_a_second_sitemap_extension_is_all_that_sphinx_says(site: Callable[..., Site]) -> None:
    made = site()
    made.configure(extensions=["sphinx_sitemapkit", "sphinx_sitemap"])
    made.write({"sphinx_sitemap.py": "def setup(app): return {}\n"})
    done = made.run("-q", env={"PYTHONPATH": str(made.docs)})
    assert done.stderr.startswith(
        "ERROR: sitemapkit: conf.py: sphinx_sitemap and sphinx_sitemapkit"
    )
    assert len(done.stderr.splitlines()) == 1


def test_our_own_name_as_a_setting_is_refused_with_the_right_name(
    site: Callable[..., Site],
) -> None:
    made = site(
        code="import sitemapkit\nfrom sitemapkit import build as sitemapkit_build",
        sitemapkitten=1,
        sitemapkit_exlude=["a"],
        Sitemap_Kit={},
        sphinx_sitemapkit_zzz=1,
    )
    said = refusal(made)
    for name, right in {
        "sitemapkit_exlude": "exclude",
        "Sitemap_Kit": "OPTION",
        "sphinx_sitemapkit_zzz": "OPTION",
    }.items():
        assert f"conf.py: nothing reads the setting {name!r}; write `sitemap_{right} = …`." in said
    assert said.count("nothing reads") == 3


def test_it_is_also_refused_on_the_command_line(site: Callable[..., Site]) -> None:
    assert "nothing reads the setting 'sitemapkit_exclude'" in refusal(
        site(), sitemapkit_exclude="a"
    )


@pytest.mark.parametrize(
    "path", ["../out/html/r.json", "extra/r.json", "_static/r.json", "alone.json", "../link/r.json"]
)
def test_no_record_is_written_where_it_would_be_published(
    site: Callable[..., Site], path: str
) -> None:
    made = site(
        sitemap_report=path,
        sitemap_ledger=path,
        html_extra_path=["extra", "alone.json"],
        html_static_path=["_static"],
    )
    made.write({"docs/extra/a.txt": "", "docs/_static/a.css": "", "docs/alone.json": ""})
    (made.root / "link").symlink_to(made.docs / "extra")
    made.configure(sitemap_report=path.replace("../out/html", str(made.out())))
    said = refusal(made)
    assert said.count("is published, and this file names the pages that are not listed") == 2
    assert "choose a path outside of it" in said

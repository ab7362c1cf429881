"""The plugin's options in mkdocs.yml, as MkDocs' own config takes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from mkdocs.config import load_config
from mkdocs.exceptions import Abort, ConfigurationError

from sitemapkit import OptionsSchema, installed

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site

SCHEMA = Path(__file__).parents[2] / "docs" / "pages" / "mkdocs.schema.json"

WRONG = [
    ({"priorty": 1}, "unknown option 'priorty'"),
    (
        {"rules": [{"match": "*", "priority": 2}]},
        r"'rules\[0\]\.priority' is 2; it must be a number from 0\.0 to 1\.0",
    ),
    ({"rules": [{"match": "*", "changefrek": "daily"}]}, "Did you mean 'changefreq'"),
    ({"formats": ["xlm"]}, "a list of xml"),
    ({"max_urls": 0}, "1 to 50,000"),
    ({"robots": True}, "auto, append .only to a file"),
    ({"base_url": "/docs/"}, "not an absolute http or https URL"),
    ({"languages": {"en": 5}}, "Allowed: base URL, or {base_url, pages}, of the build"),
    ({"languages": {"en": {"base": "x"}}}, "Did you mean 'base_url'"),
    ({"news": "Tea"}, r"Allowed: {name, language, match}: which"),
]


@pytest.mark.parametrize(("options", "message"), WRONG)
def test_what_is_wrong_with_an_option_is_said_by_mkdocs_own_error(
    options: dict[str, object], message: str, site: Callable[..., Site]
) -> None:
    wrong = site({}, plugins=[{"sitemapkit": options}])
    with pytest.raises(ConfigurationError, match=message) as error:
        load_config(str(wrong.root / "mkdocs.yml"))
    assert str(error.value).startswith("plugin 'sitemapkit' in mkdocs.yml: ")


def test_options_may_come_from_the_environment_or_be_left_empty(
    site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    built = site({"docs/tea.md": "# Tea"})
    built.write(
        {
            "mkdocs.yml": "site_name: Site\n"
            "theme: {name: null, custom_dir: theme}\n"
            "plugins:\n"
            "  - sitemapkit:\n"
            "      base_url: !ENV SITE\n"
            "      exclude: !ENV HIDE\n"
        }
    )
    monkeypatch.setenv("SITE", "https://example.org/")
    built.build()
    assert built.paths() == ["", "tea/"]


def test_patterns_may_stand_line_by_line_in_one_text_as_in_exclude_docs(
    site: Callable[..., Site],
) -> None:
    options = {"exclude": "tea/\n# a comment\ncups/*\n!cups/blue/\n"}
    names = ("tea", "cups/red", "cups/blue", "pots")
    built = site({f"docs/{name}.md": "# X" for name in names}, plugins=[{"sitemapkit": options}])
    built.build()
    assert built.paths() == ["", "cups/blue/", "pots/"]


def test_relative_paths_start_from_the_folder_of_mkdocs_yml(
    site: Callable[..., Site], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = site({}, plugins=[{"sitemapkit": {"report": "report.json"}}])
    monkeypatch.chdir(tmp_path)
    built.build()
    assert (built.root / "report.json").is_file()


def test_editors_complete_every_option_and_mark_unknown_ones() -> None:
    options = json.loads(SCHEMA.read_text())["$defs"]["OptionsSchema"]
    assert set(options["properties"]) == {
        *OptionsSchema.__struct_fields__,
        *installed.options(),
        "enabled",
    }
    assert all(option["description"] for option in options["properties"].values())
    assert options["additionalProperties"] is False


def test_our_own_name_beside_the_plugin_is_refused_with_the_right_place(
    site: Callable[..., Site],
) -> None:
    made = site({}, sitemapkit={"exclude": "x"}, sitemap={}, extra={"sitemap-kit": {}, "kit": 1})
    done = made.run("build", "--quiet")
    assert done.returncode == 1
    for name in ("sitemapkit", "extra.sitemap-kit"):
        said = (
            f"nothing reads the setting {name!r}; write `plugins: [{{sitemapkit: {{OPTION: …}}}}]`."
        )
        assert f"plugin 'sitemapkit' in mkdocs.yml: {said}" in done.stderr
    assert done.stderr.count("nothing reads") == 2  # `sitemap` may be of a hook
    assert "Traceback" not in done.stderr


def test_our_own_name_in_front_matter_stops_the_build_with_the_right_key(
    site: Callable[..., Site],
) -> None:
    made = site({"docs/secret.md": "---\nsitemapkit: false\n---\n# Secret"})
    done = made.run("build", "--quiet")
    assert done.returncode == 1
    assert "secret.md: Unknown key 'sitemapkit'; did you mean 'sitemap'?" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (made.out / "sitemap.xml").exists()


@pytest.mark.parametrize(
    "path", ["site/r.json", "docs/a/r.json", "theme/r.json", "link/r.json", "x/../docs/r.json"]
)
def test_no_record_is_written_where_it_would_be_published(
    site: Callable[..., Site], path: str, caplog: pytest.LogCaptureFixture
) -> None:
    made = site({}, plugins=[{"sitemapkit": {"report": path, "ledger": path}}])
    made.root.joinpath("link").symlink_to(made.root / "docs")
    with pytest.raises(Abort):
        made.build()
    for name in ("report", "ledger"):
        assert f"mkdocs.yml: option '{name}' is '{path}': {made.root}/" in caplog.text
    assert "choose a path outside of it" in caplog.text
    assert not [*made.root.rglob("r.json")]

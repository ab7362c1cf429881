"""The public names of the library: each is meant, documented and importable from one place."""

import inspect

import sitemapkit

PUBLIC = {
    *("Build", "build", "read_options", "stated_base", "write_part", "write_index"),
    *("Page", "Head", "Entry", "Alternate", "Options", "OptionsSchema"),
    *("Report", "Issue", "Reason"),
    *("SitemapError", "OptionError", "UrlError", "OutputError"),
}


def test_the_public_names_are_these_and_no_others() -> None:
    assert set(sitemapkit.__all__) == PUBLIC
    assert sorted(sitemapkit.__all__) == list(sitemapkit.__all__)


def test_every_public_name_is_documented() -> None:
    for name in sitemapkit.__all__:
        assert inspect.getdoc(getattr(sitemapkit, name)), name


def test_every_public_method_is_documented() -> None:
    for name in sitemapkit.__all__:
        for member, value in vars(getattr(sitemapkit, name)).items():
            if inspect.isfunction(value) and not member.startswith("_"):
                assert inspect.getdoc(value), f"{name}.{member}"

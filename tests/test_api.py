"""The public names of the library: each is meant, documented and importable from one place."""

import inspect

import sitemapkit

PUBLIC = {
    *("Build", "build", "read_options", "stated_base"),
    *(
        "Page",
        "Part",
        "Kind",
        "Head",
        "Entry",
        "Alternate",
        "Options",
        "OptionsSchema",
        "CHANGEFREQS",
    ),
    *("Report", "Message", "Issue", "Reason"),
    *("SitemapError", "OptionError", "UrlError", "OutputError", "UndatedError"),
}

CODE = PUBLIC - {"CHANGEFREQS", "Kind"}


def test_the_public_names_are_these_and_no_others() -> None:
    assert set(sitemapkit.__all__) == PUBLIC
    constants_first = sorted(sitemapkit.__all__, key=lambda name: (not name.isupper(), name))
    assert sitemapkit.__all__ == constants_first


def test_every_public_class_and_function_is_documented() -> None:
    for name in CODE:
        assert inspect.getdoc(getattr(sitemapkit, name)), name


def test_every_public_method_is_documented() -> None:
    for name in CODE:
        for member, value in vars(getattr(sitemapkit, name)).items():
            if inspect.isfunction(value) and not member.startswith("_"):
                assert inspect.getdoc(value), f"{name}.{member}"

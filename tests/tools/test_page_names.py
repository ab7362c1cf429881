"""Pages that their names tell: those about errors, and those that tools make."""

from __future__ import annotations

import pytest

from sitemapkit_tools.site.page_names import error_pages_below, is_error_page, is_tool_page


@pytest.mark.parametrize(
    "path",
    [
        *("404.html", "404/", "404", "403.html", "403/", "de/404.html", "v1.2/500/index.html"),
        *("401.html", "50x.html", "502/", "de/400.htm"),
    ],
)
def test_a_page_at_a_root_is_about_an_error_by_its_name(path: str) -> None:
    assert is_error_page(path)


@pytest.mark.parametrize("path", ["rooms/404.html", "405/", "4040.html", "1500/", "a.html"])
def test_a_page_is_about_no_error_by_another_name_or_in_another_folder(path: str) -> None:
    assert not is_error_page(path)


TIMES = "sg_execution_times"


@pytest.mark.parametrize(
    "path",
    [
        *(TIMES, f"{TIMES}.html", f"{TIMES}/", f"{TIMES}.htm"),
        *(f"auto_examples/{TIMES}.html", f"auto/sub/{TIMES}/", f"de/auto_examples/{TIMES}"),
        *("print_page/", "print_page.html", "print_page", "de/print_page/"),
        "en/latest/print_page/",
    ],
)
def test_a_tool_makes_the_times_of_a_gallery_and_the_page_for_printing(path: str) -> None:
    assert is_tool_page(path)


@pytest.mark.parametrize(
    "path",
    [
        *(f"{TIMES}/a.html", f"about_{TIMES}/", f"{TIMES}_explained.html"),
        *("api/print_page/", "print_page/a/", "how_to_print_page/"),
    ],
)
def test_an_author_writes_the_pages_about_them(path: str) -> None:
    assert not is_tool_page(path)


@pytest.mark.parametrize(
    "path",
    ["api/404.html", "api/403/", "a/b/c/500", "projects/one/404/", "kits/404/index.html", "x/403"],
)
def test_a_part_that_was_built_as_a_site_of_its_own_has_its_own_error_page(path: str) -> None:
    assert error_pages_below([path, "api/401/"]) == {path}


@pytest.mark.parametrize(
    "path",
    [
        *("posts/404/", "tag/404.html", "errors/403/", "http-errors/500.html", "status/404"),
        *("blog/2024/404/", "405/", "4040.html", "1500/", "api/about-404/", "api/404/a/"),
    ],
)
def test_an_article_about_an_error_is_none(path: str) -> None:
    assert not error_pages_below([path])


@pytest.mark.parametrize("beside", ["rooms/402/", "rooms/12.html", "rooms/1001", "rooms/1/"])
def test_one_of_many_pages_that_are_called_by_numbers_is_none(beside: str) -> None:
    assert error_pages_below(["rooms/403/"]) == {"rooms/403/"}
    assert not error_pages_below(["rooms/403/", beside])

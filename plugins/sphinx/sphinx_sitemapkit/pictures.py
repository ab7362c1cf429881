"""The images of documents: what a document says of them, and where the build puts them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from docutils import nodes
from sphinx import addnodes

from sitemapkit.extensions.images import is_icon

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sphinx.builders.html import StandaloneHTMLBuilder


class Picture(NamedTuple):
    """An image of a document; which of its files is shown, and whether, is for the builder."""

    candidates: Mapping[str, str]
    """Its files by type: `*` where there is no choice, `?` for one on another server."""

    conditions: tuple[str, ...]
    """Expressions of the `only` directives around it."""


def pictures_in(doctree: nodes.document) -> Iterator[Picture]:
    """Yield the images that readers may see; icons and images within the page are none."""
    for image in doctree.findall(nodes.image):
        candidates: Mapping[str, str] = image.get("candidates", {})
        around = list(_around(image))
        if candidates.get("?", "").startswith("data:") or _is_icon(image):
            continue
        if not any(isinstance(each, nodes.Invisible) for each in around):
            only = (each["expr"] for each in around if isinstance(each, addnodes.only))
            yield Picture(dict(candidates), tuple(only))


def addresses(
    pictures: Iterable[Picture], builder: StandaloneHTMLBuilder, base_url: str
) -> Iterator[str]:
    """Yield the URLs of the images that the builder shows; missing files have none."""
    for picture in pictures:
        if not all(builder.tags.eval_condition(each) for each in picture.conditions):
            continue
        types = ("*", "?", *builder.supported_image_types)
        file = next((picture.candidates[each] for each in types if each in picture.candidates), "")
        if "?" in picture.candidates:
            yield file
        elif file in builder.env.images:
            _, name = builder.env.images[file]
            yield f"{base_url}{builder.imagedir}/{quote(name)}"


def _around(node: nodes.Node) -> Iterator[nodes.Element]:
    parent = node.parent
    while parent is not None:
        yield parent
        parent = parent.parent


def _is_icon(image: nodes.image) -> bool:
    sizes = {name: str(image.get(name, "")) for name in ("width", "height")}
    return is_icon({"class": " ".join(image["classes"]), **sizes})

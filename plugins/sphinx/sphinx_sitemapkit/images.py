"""The images of documents: what a document says about them, and where the build puts them."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from docutils import nodes
from msgspec import Struct
from sphinx import addnodes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sphinx.builders.html import StandaloneHTMLBuilder


class DocImage(Struct, frozen=True):
    """An image of a document; the builder decides whether it is shown, and which of its files."""

    candidates: Mapping[str, str]
    """Its files by type: `*` where there is no choice, `?` for one on another server."""

    conditions: tuple[str, ...]
    """Expressions of the `only` directives around it."""


def images_in(doctree: nodes.document) -> Iterator[DocImage]:
    """Yield the images that readers may see, without icons and `data:` URLs."""
    for image in doctree.findall(nodes.image):
        candidates: Mapping[str, str] = image.get("candidates", {})
        ancestors = list(_ancestors(image))
        is_picture = not (candidates.get("?", "").startswith("data:") or _is_icon(image))
        if is_picture and not any(isinstance(each, nodes.Invisible) for each in ancestors):
            only = (each["expr"] for each in ancestors if isinstance(each, addnodes.only))
            yield DocImage(dict(candidates), tuple(only))


def image_urls(
    images: Iterable[DocImage], builder: StandaloneHTMLBuilder, base_url: str
) -> Iterator[str]:
    """Yield the URLs of the images that the builder shows, without those of missing files."""
    for image in images:
        if not all(builder.tags.eval_condition(each) for each in image.conditions):
            continue
        types = ("*", "?", *builder.supported_image_types)
        file = next((image.candidates[each] for each in types if each in image.candidates), "")
        if "?" in image.candidates:
            yield file
        elif file in builder.env.images:
            _, name = builder.env.images[file]
            yield f"{base_url}{builder.imagedir}/{quote(name)}"


def _ancestors(node: nodes.Node) -> Iterator[nodes.Element]:
    parent = node.parent
    while parent is not None:
        yield parent
        parent = parent.parent


def _is_icon(image: nodes.image) -> bool:
    from sitemapkit.extensions.images import is_icon  # noqa: PLC0415 - loaded if used

    sizes = {name: str(image.get(name, "")) for name in ("width", "height")}
    return is_icon({"class": " ".join(image["classes"]), **sizes})

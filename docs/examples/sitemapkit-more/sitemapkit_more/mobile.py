"""What devices a page is made for, for mobile search (Baidu's mobile extension, 1)."""

from typing import Annotated

from msgspec import Meta

from sitemapkit.head import read_page
from sitemapkit.options import AddedOptions
from sitemapkit.xmltext import Namespace, escaped

NAMESPACE = Namespace("mobile", "http://www.baidu.com/schemas/sitemap-mobile/1/")
KINDS = ("mobile", "pc,mobile", "htmladapt")
ALLOWED = "; ".join(KINDS)


class Options(AddedOptions):
    """The option of this extension."""

    mobile: Annotated[bool, Meta(description="true says what devices pages are made for")] = False


def read(value):
    """Return what a page states, or None if it is none of what is allowed."""
    return value if value in KINDS else None


def find(listed, options, report):
    """Yield what each page is made for: its metadata say so or, on request, its viewport does."""
    is_asked = Options.of(options).mobile
    for found in listed:
        if stated := dict(found.metadata.extensions).get("mobile"):
            yield [stated]
            continue
        file = found.page.output if is_asked else None
        seen = file and b'name="viewport"' in read_page(file)
        yield ["pc,mobile"] if seen else []


def xml(entry, options, report):
    """Return the `<mobile:mobile>` elements of an entry; what they say has been checked."""
    kinds = (entry.extensions or {}).get("mobile", ())
    return "".join(f'<mobile:mobile type="{escaped(kind)}"/>' for kind in kinds)

"""Write a workload as other Python programs do: python peers.py WRITER WORKLOAD COUNT FOLDER.

Each in files of 50,000 URLs. What they share with their models is the way a URL is written; the
models that hold a whole site in memory are given one file's worth at a time. With a minus behind
the workload its tuples are made and dropped.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from collections import deque
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from workloads import BASE, w1, w2

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from workloads import RichPage

    Pages = list[RichPage]

SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
IMAGE = "http://www.google.com/schemas/sitemap-image/1.1"
XHTML = "http://www.w3.org/1999/xhtml"
HEAD = (
    f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{SITEMAP}" xmlns:image="{IMAGE}"'
    f' xmlns:xhtml="{XHTML}">\n'
)
MKDOCS = """\
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
 xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"
 xmlns:xhtml="http://www.w3.org/1999/xhtml">
{%- for loc, lastmod, changefreq, priority, links, images in pages %}
    <url>
         <loc>{{ loc|e }}</loc>
         <lastmod>{{ lastmod }}</lastmod>
         <changefreq>{{ changefreq }}</changefreq>
         <priority>{{ priority }}</priority>
         {%- for image in images %}
         <image:image><image:loc>{{ image|e }}</image:loc></image:image>
         {%- endfor %}
         {%- for language, url in links %}
         <xhtml:link rel="alternate" hreflang="{{ language }}" href="{{ url|e }}"/>
         {%- endfor %}
    </url>
{%- endfor %}
</urlset>
"""


def files(workload: str, count: int) -> Iterator[Pages]:
    """Yield the pages of each file; those of w1 with no links and no images."""
    pages = w2(count) if workload == "w2" else ((*page, (), ()) for page in w1(count))
    while file := list(islice(pages, 50_000)):
        yield file


def f_strings(file: Path, pages: Pages) -> None:
    """An f-string for each page, with saxutils.escape: what one writes oneself."""
    with file.open("w", encoding="utf-8") as out:
        out.write(HEAD)
        for loc, lastmod, changefreq, priority, links, images in pages:
            extras = "".join(
                f"<image:image><image:loc>{escape(image)}</image:loc></image:image>"
                for image in images
            ) + "".join(
                f'<xhtml:link rel="alternate" hreflang="{language}" href="{escape(url)}"/>'
                for language, url in links
            )
            out.write(
                f"<url><loc>{escape(loc)}</loc><lastmod>{lastmod.isoformat()}</lastmod>"
                f"<changefreq>{changefreq}</changefreq><priority>{priority}</priority>{extras}</url>\n"
            )
        out.write("</urlset>\n")


def jinja(file: Path, pages: Pages) -> None:
    """The template of MkDocs."""
    from jinja2 import Template  # noqa: PLC0415

    rows = [(page[0], page[1].isoformat(), *page[2:]) for page in pages]
    file.write_text(Template(MKDOCS).render(pages=rows), encoding="utf-8")


def element_tree(file: Path, pages: Pages) -> None:
    """A tree of the standard library, as sphinx-sitemap builds one."""
    ET.register_namespace("image", IMAGE)
    ET.register_namespace("xhtml", XHTML)
    root = ET.Element("urlset", xmlns=SITEMAP)
    build_tree(root, ET.SubElement, pages)
    ET.ElementTree(root).write(file, xml_declaration=True, encoding="utf-8")


def lxml_tree(file: Path, pages: Pages) -> None:
    """A tree of lxml."""
    from lxml import etree  # noqa: PLC0415

    root = etree.Element("urlset", nsmap={None: SITEMAP, "image": IMAGE, "xhtml": XHTML})
    build_tree(root, etree.SubElement, pages)
    etree.ElementTree(root).write(file, xml_declaration=True, encoding="utf-8")


def build_tree(root: object, add: Callable[..., ET.Element], pages: Pages) -> None:
    """Add an element for each value of each page."""
    for loc, lastmod, changefreq, priority, links, images in pages:
        url = add(root, "url")
        add(url, "loc").text = loc
        add(url, "lastmod").text = lastmod.isoformat()
        add(url, "changefreq").text = changefreq
        add(url, "priority").text = str(priority)
        for image in images:
            add(add(url, f"{{{IMAGE}}}image"), f"{{{IMAGE}}}loc").text = image
        for language, href in links:
            add(url, f"{{{XHTML}}}link", rel="alternate", hreflang=language, href=href)


def lxml_stream(file: Path, pages: Pages) -> None:
    """An lxml.etree.xmlfile, which holds no tree."""
    from lxml import etree  # noqa: PLC0415

    names = {None: SITEMAP, "image": IMAGE, "xhtml": XHTML}
    with file.open("wb") as out, etree.xmlfile(out, encoding="utf-8") as xml:
        xml.write_declaration()
        with xml.element("urlset", nsmap=names):
            for loc, lastmod, changefreq, priority, links, images in pages:
                with xml.element("url"):
                    texts = (loc, lastmod.isoformat(), changefreq, str(priority))
                    for name, text in zip(TAGS, texts, strict=True):
                        with xml.element(name):
                            xml.write(text)
                    for image in images:
                        with xml.element(f"{{{IMAGE}}}image"), xml.element(f"{{{IMAGE}}}loc"):
                            xml.write(image)
                    for language, href in links:
                        link = {"rel": "alternate", "hreflang": language, "href": href}
                        with xml.element(f"{{{XHTML}}}link", link):
                            pass


TAGS = ("loc", "lastmod", "changefreq", "priority")


def django(file: Path, pages: Pages) -> None:
    """A class of django.contrib.sitemaps, rendered by its own template."""
    settings = import_module("django.conf").settings
    if not settings.configured:
        backend = "django.template.backends.django.DjangoTemplates"
        settings.configure(
            INSTALLED_APPS=["django.contrib.sitemaps"],
            USE_TZ=True,
            TEMPLATES=[{"BACKEND": backend, "APP_DIRS": True}],
        )
        import_module("django").setup()
    urls = django_class()(pages).get_urls(site=Domain(), protocol="https")
    render = import_module("django.template.loader").render_to_string
    file.write_text(render("sitemap.xml", {"urlset": urls}), encoding="utf-8")


@dataclass(frozen=True)
class Domain:
    """What stands for a row of Django's table of sites."""

    domain: str = BASE.removeprefix("https://")


@cache
def django_class() -> Callable[[Pages], Any]:
    """Return a class of sitemaps, as one writes it in Django."""
    base: Any = import_module("django.contrib.sitemaps").Sitemap
    return type("Site", (DjangoPages, base), {"protocol": "https", "limit": 50_000})


class DjangoPages:
    """The methods of such a class."""

    def __init__(self, pages: Pages) -> None:
        """Take the pages of one file."""
        self.pages = pages

    def items(self) -> Pages:
        """Return the pages."""
        return self.pages

    def location(self, item: RichPage) -> str:
        """Return the path of a page."""
        return item[0].removeprefix(BASE)

    def lastmod(self, item: RichPage) -> datetime:
        """Return the date of a page."""
        return item[1]

    def changefreq(self, item: RichPage) -> str:
        """Return how often a page changes."""
        return item[2]

    def priority(self, item: RichPage) -> float:
        """Return how important a page is."""
        return item[3]


def xml_sitemap_writer(folder: Path, workload: str, count: int) -> None:
    """The package of that name, which streams, in gzip level 9 as it comes."""
    with import_module("xml_sitemap_writer").XMLSitemap(str(folder), BASE) as sitemap:
        for pages in files(workload, count):
            for loc, lastmod, changefreq, priority, *_ in pages:
                sitemap.add_url(
                    loc.removeprefix(BASE), lastmod.isoformat(), str(priority), changefreq
                )


WRITERS = {
    "f-strings": f_strings,
    "jinja": jinja,
    "etree": element_tree,
    "lxml-tree": lxml_tree,
    "lxml-xmlfile": lxml_stream,
    "django": django,
}


def main(writer: str, workload: str, count: str, folder: str) -> None:
    """Write the workload, or only make its tuples."""
    if workload.endswith("-"):
        deque((w2 if workload == "w2-" else w1)(int(count)), maxlen=0)
    elif writer == "xml-sitemap-writer":
        xml_sitemap_writer(Path(folder), workload, int(count))
    else:
        for number, pages in enumerate(files(workload, int(count)), 1):
            WRITERS[writer](Path(folder, f"sitemap-{number}.xml"), pages)


if __name__ == "__main__":
    main(*sys.argv[1:])

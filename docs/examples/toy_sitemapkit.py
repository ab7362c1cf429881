"""sitemapkit for the toy generator."""

import logging
from pathlib import Path

from sitemapkit import Build, OptionError, Page, Reason, read_options

log = logging.getLogger(__name__)


class Plugin:
    """What is done at each event of a build."""

    def on_start(self, site):
        """Read the settings, which may stop the build, and let git work meanwhile."""
        given, root, url = site.config.get("sitemap", {}), Path(site.source), site.config["url"]
        try:
            options = read_options(given, where="sitemap in toy.toml", root=root, base_url=url)
        except OptionError as error:
            raise SystemExit(str(error)) from None
        self.build = Build(options)
        self.build.read_history(root)

    def on_page(self, page):
        """Add a page that was written."""
        self.build.add(to_page(page))

    def on_finish(self, site):
        """Write the sitemap, and log what the core says."""
        report = self.build.write(Path(site.output))
        for message in report.messages():
            log.log(message.level, message.text, *message.arguments)


def to_page(page):
    """Turn one page of the generator into what the core wants to know of it."""
    return Page(
        url=page.link,
        output=Path(page.file),
        sources=[Path(page.source)],
        meta=page.front_matter,
        excluded=Reason.DRAFT if page.draft else None,
        title=page.title,
    )

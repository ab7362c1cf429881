"""A hook: makes the page "By country" from the `origin` in the front matter of the leaves."""

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.utils import meta


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page that lists every leaf under the countries it comes from."""
    leaves: dict[str, list[tuple[str, str]]] = {}
    for file in files.documentation_pages():
        _, about = meta.get_data(file.content_string)
        for country in about.get("origin", []):
            leaves.setdefault(country, []).append((about["title"], file.src_uri))
    lines = ["# Leaves by country"]
    for country in sorted(leaves):
        lines += ["", f"## {country}", ""]
        lines += [f"- [{title}](../{source})" for title, source in sorted(leaves[country])]
    page = File.generated(config, "leaves/by-country.md", content="\n".join(lines))
    files.append(page)
    return files

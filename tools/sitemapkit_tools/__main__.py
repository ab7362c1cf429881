"""`python -m sitemapkit_tools` and the command `sitemapkit`."""

from sitemapkit_tools.cli import cli


def main() -> None:
    """Run the command line; exits with its code."""
    cli(prog_name="sitemapkit")


if __name__ == "__main__":
    main()

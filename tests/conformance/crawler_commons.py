"""Ask crawler-commons, the strictest reader, whether it keeps every URL of random sets.

    python -m tests.conformance.crawler_commons CHECKOUT JAR... [--sets 1000]

CHECKOUT is one of github.com/crawler-commons/crawler-commons; the jars are those it needs:
commons-io and slf4j-api. Needs a Java development kit. In strict mode it drops URLs that are not
below the sitemap's folder, and all that java.net.URI refuses.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import warnings
from datetime import UTC, datetime, time
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis.errors import NonInteractiveExampleWarning

from sitemapkit import Report, read_options
from sitemapkit.output.write import write

from .sets import BASE, Expected, expected, read_moment, sets

READER = """
import crawlercommons.sitemaps.*;
import java.net.URL;
import java.nio.file.*;
import java.util.Scanner;

public class Reader {
    public static void main(String[] arguments) throws Exception {
        SiteMapParser parser = new SiteMapParser(true, false);
        parser.setStrictNamespace(true);
        parser.enableExtensions();
        Scanner names = new Scanner(System.in);
        while (names.hasNextLine()) {
            Path file = Path.of(names.nextLine());
            URL url = new URL(arguments[0] + file.getFileName());
            AbstractSiteMap map = parser.parseSiteMap(Files.readAllBytes(file), url);
            if (map instanceof SiteMap)
                for (SiteMapURL each : ((SiteMap) map).getSiteMapUrls())
                    System.out.println(file + "\\t" + each.getUrl() + "\\t" + date(each));
        }
    }

    static Object date(SiteMapURL url) {
        return url.getLastModified() == null ? "" : url.getLastModified().toInstant();
    }
}
"""


def main() -> None:
    """Write random sets, have them read, and exit with 1 if something is lost or changed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("jars", type=Path, nargs="+")
    parser.add_argument("--sets", type=int, default=1000)
    asked = parser.parse_args()
    with TemporaryDirectory() as folder:
        reader = compiled(asked.checkout, asked.jars, Path(folder))
        wanted = write_sets(Path(folder), asked.sets)
        found = read_back(reader, wanted)
    lost = wanted.keys() - found.keys()
    changed = [key for key, dates in wanted.items() if key in found and found[key] not in dates]
    sys.stdout.write(
        f"{len(wanted)} URLs in {asked.sets} sets: {len(lost)} lost, {len(changed)} dates changed\n"
    )
    for key in [*sorted(lost), *changed][:10]:
        sys.stdout.write(f"    {key} {found.get(key)} {wanted[key]}\n")
    sys.exit(bool(lost or changed))


Dates = dict[tuple[str, str], set[str]]


def write_sets(folder: Path, count: int) -> Dates:
    """Write random sets; return what each file and URL may be dated."""
    warnings.simplefilter("ignore", NonInteractiveExampleWarning)
    wanted: Dates = {}
    for number in range(count):
        entries = sets.example()
        options = read_options({}, where="crawler-commons", base_url=BASE)
        write(entries, options, folder / str(number), Report())
        for loc, said in filter(None, map(expected, entries)):
            key = str(folder / str(number) / "sitemap.xml"), loc
            wanted.setdefault(key, set()).add(_date(said))
    return wanted


def _date(said: Expected) -> str:
    """Return the moment that it reads: of a day, the first."""
    if said.lastmod and not isinstance(said.lastmod, datetime):
        return datetime.combine(said.lastmod, time.min, UTC).isoformat()
    return said.lastmod.isoformat() if said.lastmod else ""


def compiled(checkout: Path, jars: list[Path], folder: Path) -> list[str]:
    """Compile crawler-commons and the reader; return the command that runs it."""
    (folder / "Reader.java").write_text(READER)
    sources = [str(file) for file in (checkout / "src/main/java").rglob("*.java")]
    path = os.pathsep.join(map(str, jars))
    compiler = ["javac", "-nowarn", "-d", str(folder / "classes"), "-cp", path]
    subprocess.run([*compiler, str(folder / "Reader.java"), *sources], check=True)
    return ["java", "-cp", f"{folder / 'classes'}{os.pathsep}{path}", "Reader", BASE]


def read_back(reader: list[str], wanted: Dates) -> dict[tuple[str, str], str]:
    """Return the date of each URL that is read from the files."""
    files = sorted({file for file, _ in wanted})
    done = subprocess.run(
        reader, input="\n".join(files), stdout=subprocess.PIPE, text=True, check=True
    )
    found: dict[tuple[str, str], str] = {}
    for line in done.stdout.splitlines():
        file, loc, date = line.split("\t")
        moment = read_moment(date)
        found[file, loc] = moment.isoformat() if moment else ""
    return found


if __name__ == "__main__":
    main()

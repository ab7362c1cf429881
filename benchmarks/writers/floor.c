/* What the work costs at least: w1 in C, by hand, with nothing checked that cannot be wrong here.
 *     floor WORKLOAD COUNT FOLDER
 * The umlauts of one page in twenty are encoded and the ampersand of one in ten is escaped. */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define BASE "https://www.example.com"

static void write_page(FILE *out, long i) {
    static const char *frequencies[] = {"daily", "weekly", "monthly"};
    time_t moment = 1704067200 + (i + 1) * 60;
    struct tm t;
    char date[32];
    gmtime_r(&moment, &t);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &t);
    if (i % 20 == 7)
        fprintf(out, "<url><loc>" BASE "/docs/gr%%C3%%B6%%C3%%9Fe-%ld/page-%07ld/</loc>", i % 97, i);
    else if (i % 10 == 3)
        fprintf(out, "<url><loc>" BASE "/docs/section-%ld/page-%07ld/?ref=a&amp;id=%ld</loc>", i % 97, i, i);
    else
        fprintf(out, "<url><loc>" BASE "/docs/section-%ld/page-%07ld/</loc>", i % 97, i);
    fprintf(out, "<lastmod>%s</lastmod><changefreq>%s</changefreq><priority>%ld.%ld</priority></url>\n",
            date, frequencies[i % 3], (i % 10 + 1) / 10, (i % 10 + 1) % 10);
}

int main(int argc, char **argv) {
    long count = argc > 3 ? atol(argv[2]) : 0;
    FILE *out = NULL;
    for (long i = 0; i < count; i++) {
        if (i % 50000 == 0) {
            char name[4096];
            if (out) {
                fputs("</urlset>\n", out);
                fclose(out);
            }
            snprintf(name, sizeof name, "%s/sitemap-%ld.xml", argv[3], i / 50000 + 1);
            out = fopen(name, "w");
            if (!out) return 1;
            fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n", out);
        }
        write_page(out, i);
    }
    if (out) {
        fputs("</urlset>\n", out);
        fclose(out);
    }
    return 0;
}

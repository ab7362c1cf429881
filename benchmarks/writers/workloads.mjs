// The URLs that all writers write, as in workloads.py.

export const BASE = 'https://www.example.com';
const START = Date.UTC(2024, 0, 1);
const FREQUENCIES = ['daily', 'weekly', 'monthly'];
const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja'];

export function* w1(count) {
  for (let i = 0; i < count; i++) {
    const section = i % 97;
    const page = String(i).padStart(7, '0');
    const url =
      i % 20 === 7 ? `${BASE}/docs/größe-${section}/page-${page}/`
      : i % 10 === 3 ? `${BASE}/docs/section-${section}/page-${page}/?ref=a&id=${i}`
      : `${BASE}/docs/section-${section}/page-${page}/`;
    yield { url, lastmod: new Date(START + (i + 1) * 60000), changefreq: FREQUENCIES[i % 3], priority: ((i % 10) + 1) / 10 };
  }
}

export function* w2(count) {
  for (let i = 0; i < count; i++) {
    const page = String(i).padStart(7, '0');
    const path = `/docs/section-${i % 97}/page-${page}/`;
    yield {
      url: BASE + path,
      lastmod: new Date(START + (i + 1) * 60000),
      changefreq: FREQUENCIES[i % 3],
      priority: ((i % 10) + 1) / 10,
      links: LANGUAGES.map((lang) => ({ lang, url: `${BASE}/${lang}${path}` })),
      img: [0, 1].map((n) => ({ url: `https://cdn.example.com/img/${page}-${n}.jpg` })),
    };
  }
}

/** The pages that the arguments WORKLOAD and COUNT ask for; a workload with a minus is only made. */
export function pages(workload, count) {
  const made = workload.startsWith('w2') ? w2(count) : w1(count);
  if (!workload.endsWith('-')) return made;
  for (const _ of made);
  process.exit(0);
}

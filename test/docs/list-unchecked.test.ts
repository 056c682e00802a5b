import { expect, test } from 'vitest';
import { checkFiles, type Files } from './support/check-files.ts';
import { tuplesOf } from './support/rows-of.ts';

const page = '# A\n';
const unknown =
  'Not checked: this site’s framework is not known, so navigation, addresses and redirects are left alone.';

test.each(
  tuplesOf<[Files, { navigation: boolean; notChecked: string[] }]>({
    'a site whose navigation is read': [
      { 'mkdocs.yml': 'nav:\n  - a.md\n', 'docs/a.md': page, 'README.md': page },
      { navigation: true, notChecked: [] },
    ],
    'a site without entries': [
      { 'mkdocs.yml': 'site_name: x\n', 'docs/a.md': page },
      { navigation: false, notChecked: [] },
    ],
    'a navigation that cannot be read': [
      { 'docs.json': '{"navigation":{"pages":["index",,]}}', 'index.mdx': page },
      { navigation: false, notChecked: [] },
    ],
    'pages without a framework': [{ 'docs/a.md': page }, { navigation: false, notChecked: [unknown] }],
    'pages in other formats': [
      { 'docs/a.rst': page, 'docs/b.adoc': page },
      {
        navigation: false,
        notChecked: [unknown, 'Not checked: 2 pages in .adoc and .rst, which belong to no known site.'],
      },
    ],
    'names that are defined twice, which are no broken links': [
      {
        'README.md': page,
        'CHANGES.md': Array.from(
          { length: 12 },
          (_, n) => `[n${n}]: https://acme.dev/1\n[n${n}]: https://acme.dev/b${n}\n`,
        ).join(''),
      },
      { navigation: false, notChecked: [unknown] },
    ],
    'one image of the web without text on many pages': [
      Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`docs/${n}/a.md`, '![](https://acme.dev/a.png)\n'])),
      { navigation: false, notChecked: [unknown] },
    ],
    'no documentation': [{ 'src/a.ts': '' }, { navigation: false, notChecked: [] }],
  }),
)('the report of %s says what was not checked', (_name, files, expected) => {
  expect(checkFiles(files, {})).toMatchObject(expected);
});

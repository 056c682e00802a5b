import { expect, test } from 'vitest';
import { z } from 'zod';
import { readSite } from '../../../local/docs/read-site.ts';

const site = await readSite();
const pages = Object.keys(site).filter((path) => path.endsWith('.mdx') && !path.startsWith('snippets/'));
const textOf = (path: string) => site[path]?.toString() ?? '';

const group = z.object({ group: z.string(), pages: z.array(z.string()) });
const settings = z.object({
  theme: z.string(),
  navigation: z.object({ tabs: z.array(z.object({ tab: z.string(), groups: z.array(group) })) }),
});

test('the navigation names every page and only pages', () => {
  const { navigation } = settings.parse(JSON.parse(textOf('docs.json')));
  const named = navigation.tabs.flatMap(({ groups }) => groups.flatMap((one) => one.pages));
  expect(named.map((page) => `${page}.mdx`).toSorted()).toEqual(pages.toSorted());
});

test.each(pages)('%s has front matter, and its links lead somewhere', (path) => {
  expect(textOf(path)).toMatch(/^---\ntitle: .+\ndescription: .+\n---\n/);
  const links = [...textOf(path).matchAll(/\]\(\/([^)#]*)(?:#([^)]*))?\)|from '\/([^']+)'/g)];
  for (const [, target = '', anchor, imported] of links) {
    const file = imported ?? (site[target] ? target : `${target}.mdx`);
    expect(Object.keys(site)).toContain(file);
    const slugs = [...textOf(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    );
    if (anchor) expect(slugs).toContain(anchor);
  }
});

test('the gap that the demo closes exists', () => {
  expect(textOf('rate-limits.mdx')).toContain('60 requests per minute');
  expect(textOf('errors.mdx')).toContain('100 requests per minute');
  expect(textOf('errors.mdx')).not.toContain('`429`');
});

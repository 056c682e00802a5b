import { expect, test } from 'vitest';
import { cachePages } from '../../../src/policy/judge/foreign-readers.ts';
import type { PageToRead } from '../../../src/policy/pages/scan-page.ts';

const page: PageToRead = {
  path: 'a.md',
  text: 'Text',
  dialect: {
    syntaxes: ['markdown'],
    vue: false,
    braces: false,
    mdc: false,
    templates: [],
    components: [],
    math: undefined,
    markdown: ['commonmark'],
    copiesFiles: false,
    marks: [],
    isUnknown: false,
    cells: undefined,
    layouts: [],
    titlesCode: false,
  },
};

test('a text is read once for each path and dialect', async () => {
  const texts: string[] = [];
  const read = cachePages(async ({ path, text, dialect: { syntaxes } }) => {
    texts.push(`${path} ${text} ${syntaxes.join()}`);
    return { code: [], addresses: [text] };
  });
  const pages: PageToRead[] = [
    page,
    { ...page },
    { ...page, text: 'Other' },
    { ...page, path: 'b.md' },
    { ...page, dialect: { ...page.dialect, syntaxes: ['mdx'] } },
    page,
  ];
  const found = await Promise.all(pages.map(read));
  expect(found.map(({ addresses }) => addresses[0])).toEqual(['Text', 'Text', 'Other', 'Text', 'Text', 'Text']);
  expect(texts).toEqual(['a.md Text markdown', 'a.md Other markdown', 'b.md Text markdown', 'a.md Text mdx']);
});

test('a page that could not be read in time is read again', async () => {
  let tries = 0;
  const read = cachePages(async () => {
    tries += 1;
    if (tries === 1) throw new Error('too long');
    return { code: [], addresses: [] };
  });
  await expect(read(page)).rejects.toThrow('too long');
  expect(await read(page)).toEqual({ code: [], addresses: [] });
});

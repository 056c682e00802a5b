import { expect, test } from 'vitest';
import { readPage } from '../../../src/docs/pages/read-page.ts';
import { tuplesOf } from '../support/rows-of.ts';

/** `start` to `end` of each link and part, as the page has it. */
function listWritten(text: string, { isMdx = true } = {}): string[] {
  const { links, parts } = readPage(text, { isMdx });
  return [
    ...links.map(({ start, end, kind, form, target }) => ({ start, end, what: `${kind} ${form}`, target })),
    ...parts.map(({ start, end, kind, target }) => ({ start, end, what: kind, target })),
  ].map(({ start, end, what, target }) => {
    const written = text.slice(start, end);
    return written === target ? `${what} ${written}` : `${what} ${written} for ${target}`;
  });
}

test.each(
  tuplesOf<[text: string, links: string[]]>({
    'inline, with a title': ['See [a *b*]( ./a.md#b "Title" ).\n', ['link inline ./a.md#b']],
    'inline, with parentheses and escapes': ['[a](/a(b)\\_c)\n', ['link inline /a(b)\\_c for /a(b)_c']],
    'in angle brackets': ['![a](<../x y.png>)\n', ['image bracketed ../x y.png']],
    'an image inside of a link': ['[![a](a.png)](b.md)\n', ['image inline a.png', 'link inline b.md']],
    'a definition': ['See [a].\n\n  [a]: <b c.md> "T"\n[d]:\n  e.md\n', ['link bracketed b c.md', 'link inline e.md']],
    'an autolink': ['See <https://example.com/a>.\n', ['link autolink https://example.com/a']],
    attributes: [
      '<Card href="/a" to={\'/b\'} img={x}>\n<a href=/c>c</a>\n</Card>\n',
      ['link attribute /a', 'link attribute /b', 'link attribute /c'],
    ],
    'front matter': [
      '---\ntitle: A\nhero:\n  actions:\n    - link: ./a/\n    - { text: B, link: "/b" }\nprev:\n  link: "/c" # C\n---\n',
      ['link yaml ./a/', 'link yaml /b', 'link yaml /c'],
    ],
    'an import and an include': [
      'import A from "./a.mdx";\n\n<include cwd>./b.mdx</include>\n',
      ['import ./a.mdx', 'include ./b.mdx'],
    ],
    'includes of comments': [
      '<!--@include: ./part.md#region{1,2}-->\n\n--8<-- "x.md"\n',
      ['include ./part.md', 'include x.md'],
    ],
  }),
)('%s: the place of the target is known', (_name, text, links) => {
  expect(listWritten(text)).toEqual(links);
});

import { posix } from 'node:path';
import { findPart } from '../../src/docs/sites/find-part.ts';
import type { Site, SiteEntry } from '../../src/docs/sites/open-sites.ts';
import { drawLink, linksTo } from './find-links.ts';
import { append, draw, drawPage, type Ground, isParsedAsMdx, type Seed, seed } from './seed.ts';

const never = () => false;

const change =
  (rewrite: (page: { text: string; path: string; framework: string }, ground: Ground) => string | undefined): Seed =>
  (ground) => {
    let result: string | undefined;
    const page = drawPage(ground, (site, path, text) => {
      if (!/\.mdx?$/.test(path)) return false;
      result = rewrite({ text, path, framework: site.framework.name }, ground);
      return result !== undefined && result !== text;
    });
    if (!page || result === undefined) return undefined;
    return seed(page.site, page.path, result, never);
  };

const add = (added: string, fits: (framework: string, path: string) => boolean = () => true) =>
  change(({ text, path, framework }) => (fits(framework, path) ? append(text, added) : undefined));

/** Repeats a link of a page at its end: it still works. */
const repeatLink: Seed = (ground) => {
  const drawn = drawLink(
    ground,
    ({ link, found }) =>
      link.kind === 'link' && !/[()]/.test(link.target) && !(found.kind === 'page' && found.anchor !== ''),
  );
  if (!drawn) return undefined;
  const text = append(drawn.text, `See [this](${drawn.link.target}).`);
  return seed(drawn.site, drawn.path, text, never);
};

/** Its folder is its name. */
const isRoute = (path: string) => /(?:^|\/)(?:page|index)\.\w+$/.test(path);

/** A link that a page of the same folder has works from its neighbour too. */
const borrowLink: Seed = (ground) => {
  const drawn = drawLink(
    ground,
    ({ link, found }) =>
      link.kind === 'link' && /^[\w./-]+$/.test(link.target) && found.kind === 'page' && found.anchor === '',
  );
  const beside =
    drawn &&
    drawPage(
      ground,
      (site, path) =>
        site === drawn.site &&
        !isRoute(path) &&
        !isRoute(drawn.path) &&
        posix.dirname(path) === posix.dirname(drawn.path),
    );
  if (!drawn || !beside) return undefined;
  const text = append(beside.text, `See [that page](${drawn.link.target}).`);
  return seed(drawn.site, beside.path, text, never);
};

/** Beside a page that is listed in data, and listed below it. */
const addPage: Seed = (ground) => {
  const entries = ground.sites.flatMap((site) => site.navigation.map((entry) => ({ site, entry })));
  const drawn = draw(
    entries.filter(({ entry }) => isPlainEntry(ground, entry)),
    ground.random,
  );
  const text = ground.tree.read(drawn?.entry.file ?? '');
  const { page, start, end } = drawn?.entry ?? {};
  if (!drawn || text === undefined || page === undefined || start === undefined || end === undefined) return undefined;
  const [from, to] = [text.lastIndexOf('\n', start) + 1, text.indexOf('\n', end)];
  const [line, written] = [text.slice(from, to), text.slice(start, end)];
  const entry = line.replace(written, written.replace(/[^/.]+(\.\w+)?$/, 'zz-new$1'));
  const isLast = drawn.entry.file.endsWith('.json') && !line.trimEnd().endsWith(',');
  const change = new Map([
    [drawn.entry.file, `${text.slice(0, to)}${isLast ? ',' : ''}\n${entry}${text.slice(to)}`],
    [page.replace(/[^/.]+(\.\w+)$/, 'zz-new$1'), '---\ntitle: New\n---\n\nNew.\n'],
  ]);
  return { framework: drawn.site.framework.name, change, isTold: never };
};

/** Alone on its line, and named like its file. */
function isPlainEntry({ tree }: Ground, { file, start, end, page }: SiteEntry): boolean {
  const text = tree.read(file) ?? '';
  const line = text.slice(text.lastIndexOf('\n', start) + 1, text.indexOf('\n', end));
  const written = text.slice(start, end).replace(/\.\w+$/, '');
  const name = posix.basename(page ?? '').replace(/\.\w+$/, '');
  const isAlone = /^\s*(?:"[^"]*",?|[-*] .*)$/.test(line) && !line.includes(': !') && text[end ?? 0] !== '#';
  return (
    /\.(?:json|ya?ml|md)$/.test(file) &&
    isAlone &&
    name !== '' &&
    posix.basename(written) === name &&
    !/^(?:index|readme)$/i.test(name)
  );
}

/** Whether another page shows it as its own text. */
const isPart = ({ tree }: Ground, site: Site, path: string) =>
  [...site.pages].some(([from, { parts }]) => parts.some(({ target }) => findPart(tree, site, from, target) === path));

/** The last heading of a page, where no link leads to it. */
const renameHeading: Seed = (ground) => {
  let renamed: string | undefined;
  const page = drawPage(ground, (site, path, text) => {
    const read = site.pages.get(path);
    const heading = read?.headings.at(-1);
    if (!read || !heading || site.addressesOf(path, read).length === 0) return false;
    const slug = site.slug(heading.text);
    const isOwn = read.links.some(({ target }) => target.toLowerCase().endsWith(`#${slug}`));
    const isLinked = isOwn || linksTo(ground, site, path, slug).length > 0;
    if (isLinked || isPart(ground, site, path) || !text.includes(`\n## ${heading.text}\n`)) return false;
    renamed = text.replace(`\n## ${heading.text}\n`, '\n## Another name\n');
    return true;
  });
  if (!page || renamed === undefined) return undefined;
  return seed(page.site, page.path, renamed, never);
};

/** Kinds of edits that no check may report. */
export const harmless: Record<string, Seed> = {
  'a sentence': add('One more sentence, with *emphasis* and “quotes”.'),
  'a section with a table': add('## Zebra facts\n\n| a | b |\n| --- | --- |\n| 1 | `x` |'),
  'a fence with links, tags and braces': add(
    '```jsx\n<None href="/none">{none}</None>\n[none](/none/at/all)\n<!-- none -->\n```',
  ),
  'inline code with tags and braces': add('Use `<None>`, `{none}` and `[none](/none)`.'),
  'a list with a fence': add('1. First:\n\n   ```sh\n   acme <file> {a,b}\n   ```\n\n2. Second.'),
  'a link outside': add('See [the site](https://example.com/a?b=c#d).'),
  'a link to a heading of the same page': add('## Zebra end\n\nSee [the end](#zebra-end).'),
  'a comment': change(({ text, path, framework }) =>
    append(text, isParsedAsMdx(framework, path) ? '{/* [none](/none) <None> */}' : '<!-- [none](/none) <None> -->'),
  ),
  'escaped signs in MDX': add('Sizes &lt;5 and \\{braces\\} and \\<tags>.', isParsedAsMdx),
  'less-than signs and braces in Markdown': add(
    'Sizes <5 and {braces}.',
    (framework, path) => !isParsedAsMdx(framework, path) && framework !== 'VitePress',
  ),
  'a tag of HTML': add('<div>\n\nText.\n\n</div>'),
  'a line break and an image of elsewhere': add('A<br />B ![x](https://example.com/x.png)'),
  'a key in the front matter': change(({ text }) =>
    text.startsWith('---\n') ? text.replace('---\n', '---\nzebra: true\n') : undefined,
  ),
  'other line endings': change(({ text }) => (text.includes('\r') ? undefined : text.replaceAll('\n', '\r\n'))),
  'a typo corrected': change(({ text }) => text.replace(/(?<=\n\n[A-Z][a-z]+ )the (?=[a-z]+ [a-z]+ )/, 'the very ')),
  'a blank line at the end': change(({ text }) => `${text.trimEnd()}\n\n\n`),
  'a quotation with a fence': add('> Quoted:\n>\n> ```sh\n> acme\n> ```'),
  'a longer fence around another': add('````md\n```js\na\n```\n````'),
  'a link that is repeated': repeatLink,
  'a link of a page beside it': borrowLink,
  'a new page with its entry': addPage,
  'a heading renamed that nobody links to': renameHeading,
};

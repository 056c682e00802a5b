import { cutFrontMatter } from '../formats/front-matter.ts';
import type { PagePlace, RedirectForm } from '../frameworks/framework.ts';
import { hosts } from '../frameworks/redirects/host-redirects.ts';
import type { Redirect, RedirectEntry } from '../frameworks/site-rules.ts';
import { type FileTree, isBelow, nameOf, relativeTo } from '../tree.ts';
import type { Site } from './open-sites.ts';
import { readRedirectPattern } from './redirect-test.ts';

interface NewRedirect {
  file: string;
  line: number;
  /** For people and models: the file, with the redirect as it is written, or one to write it like. */
  where: string;
  /** Undefined where the file has none like it, or it is not known where it leads. */
  insertion: { at: number; text: string } | undefined;
  /** In the front matter of a page. */
  isAlias?: true;
}

/** A redirect of the site, written once more for these pages. Undefined: no file holds redirects. */
export function writeRedirect(
  tree: FileTree,
  site: Site,
  { from, to }: { from: PagePlace; to: PagePlace | undefined },
): NewRedirect | undefined {
  const example = findExample(tree, site);
  if (example === undefined && site.pageAliases && to) return addAlias(tree, site.pageAliases, { from, to });
  if (example === undefined || to === undefined) return describeForm(site, { from, to });
  const { redirect, entry } = example;
  const { file } = redirect;
  const text = tree.read(file) ?? '';
  const written = copyText(text, example, {
    from: spellLike(text.slice(entry.from.start, entry.from.end), from, site),
    to:
      findForm(file, site)?.isRelative && !isSourceFile(redirect.to ?? '')
        ? spellFrom(from, redirect.to ?? '', to, site)
        : spellLike(redirect.to ?? '', to, site),
  });
  const isApart =
    written.includes('\n') && /\n[ \t]*\r?\n[ \t]*$/.test(`\n\n${text.slice(0, entry.start)}`.slice(-100));
  const separator = entry.isLine ? (isApart ? '\n\n' : '\n') : separatorBefore(text, entry.start);
  const line = text.slice(0, entry.end).split('\n').length;
  const where = `${file}, after line ${line}: ${entry.isLine ? written.trim() : written.replace(/\s+/g, ' ')}`;
  return { file, line, where, insertion: { at: entry.end, text: separator + written } };
}

function addAlias(
  tree: FileTree,
  { key, write }: NonNullable<Site['pageAliases']>,
  { from, to }: { from: PagePlace; to: PagePlace },
): NewRedirect {
  const address = write(from.address, from.path);
  const insertion = writeAlias(tree.read(to.path) ?? '', { key, address });
  const where = `${to.path}: ${key}: [${address}] in its front matter`;
  return { file: to.path, line: 1, where, insertion, isAlias: true };
}

function describeForm(
  site: Site,
  { from, to }: { from: PagePlace; to: PagePlace | undefined },
): NewRedirect | undefined {
  const [example] = site.redirects;
  const file = example?.file ?? site.redirectFiles[0];
  if (file === undefined) return undefined;
  const line = example?.line ?? 1;
  const form = to && writeForm(file, { from, to, site });
  const like = example?.to === undefined ? '' : `, where line ${line} has ${example.from} → ${example.to}`;
  const where = file + (like === '' && form !== undefined ? `: ${form}` : like);
  return { file, line, where, insertion: undefined };
}

interface Example {
  redirect: Redirect;
  entry: RedirectEntry;
}

const pattern = /[:*(){}$?]/;
/** Conditions that hold for some readers only, and rewrites. */
const condition =
  /\b(?:has|missing|conditions?|query|headers|signed|basePath|locale|country|language|role)\b|\b200!?(?!\d)/i;

/** The plainest redirect of the file with most of them, before one for everything; of several, the last. */
function findExample(tree: FileTree, { redirects }: Site): Example | undefined {
  const [own = []] = [...Map.groupBy(redirects, ({ file }) => file).values()].toSorted((a, b) => b.length - a.length);
  const behind = own.findIndex(({ from }) => readRedirectPattern(from).isCatchAll);
  let best: (Example & { length: number }) | undefined;
  for (const redirect of behind < 0 ? own : own.slice(0, behind)) {
    const { from, to, entry } = redirect;
    if (entry === undefined || to === undefined || pattern.test(from) || /^[a-z][a-z\d+.-]*:|^\/\//i.test(to)) continue;
    if (pattern.test(to)) continue;
    const length = entry.end - entry.start - from.length - to.length;
    const rest = copyText(tree.read(redirect.file) ?? '', { redirect, entry }, { from: '', to: '' });
    if (!condition.test(rest) && (best === undefined || length <= best.length)) best = { redirect, entry, length };
  }
  return best;
}

function copyText(text: string, { redirect, entry }: Example, { from, to }: { from: string; to: string }): string {
  const places = [
    { ...entry.from, now: from },
    { start: redirect.start, end: redirect.end, now: to },
  ].toSorted((a, b) => a.start - b.start);
  const parts: string[] = [];
  let at = entry.start;
  for (const { start, end, now } of places) {
    parts.push(text.slice(at, start), now);
    at = end;
  }
  return parts.join('') + text.slice(at, entry.end);
}

const isSourceFile = (written: string): boolean => /\.(?:mdx?|rst|txt|ipynb)$/.test(written);

/** A path, an address, or an address with an ending, as the other redirect has it. */
function spellLike(written: string, { path, address }: PagePlace, site: Site): string {
  if (isSourceFile(written)) return belowRoot(path, site);
  const { baseAddress } = site;
  const prefix = baseAddress !== '' && isBelow(`${written}/`, baseAddress) ? baseAddress : '';
  const full = prefix + (address === '/' ? '' : address);
  const needsSlash = written.endsWith('/') || site.answers?.(path, full, false) === false;
  const ending = written.endsWith('.html') ? '.html' : needsSlash ? '/' : '';
  const spelled = full === '' ? '/' : full + ending;
  return written.startsWith('/') ? spelled : spelled.slice(1);
}

/** A host's own file before the framework's, whatever that is called. */
const findForm = (file: string, { framework }: Site): RedirectForm | undefined =>
  [...hosts, framework].flatMap(({ redirectForms = [] }) => redirectForms).find((form) => form.file.test(nameOf(file)));

function spellFrom(from: PagePlace, written: string, to: PagePlace, site: Site): string {
  const spelled = spellLike(written, to, site);
  return written.startsWith('/') ? spelled : '../'.repeat(from.address.split('/').length - 2) + spelled;
}

/** Each on a line of its own, or one behind the other. */
function separatorBefore(text: string, start: number): string {
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  return before.trim() === '' ? `,\n${before}` : ', ';
}

function writeForm(
  file: string,
  { from, to, site }: { from: PagePlace; to: PagePlace; site: Site },
): string | undefined {
  const below = (place: PagePlace) => ({ ...place, path: belowRoot(place.path, site) });
  return findForm(file, site)?.write(below(from), below(to));
}

const belowRoot = (path: string, { linkRoots, root }: Site): string =>
  relativeTo(path, linkRoots.find((folder) => isBelow(path, folder)) ?? root);

/** Adds an old address to a list in the front matter of a page, in YAML: a list of lines, or one in brackets. Undefined for another form. */
function writeAlias(
  text: string,
  { key, address }: { key: string; address: string },
): { at: number; text: string } | undefined {
  const cut = cutFrontMatter(text);
  if (cut === undefined) return { at: 0, text: `---\n${key}:\n  - ${address}\n---\n\n` };
  if (cut.fence !== '---' || cut.bodyStart === 0) return undefined;
  const { source, start } = cut;
  const found = new RegExp(`^${RegExp.escape(key)}:[ \\t]*`, 'm').exec(source);
  if (found === null) return { at: start + source.length, text: `${key}:\n  - ${address}\n` };
  const from = found.index + found[0].length;
  const value = source.slice(from);
  const bracketed = /^\[[^[\]\n]*(?=\])/.exec(value)?.[0];
  if (bracketed !== undefined)
    return { at: start + from + bracketed.length, text: `${bracketed === '[' ? '' : ', '}${address}` };
  const lines = /^\r?\n(?:([ \t]*- )[^\n]*\n)+/.exec(value);
  return lines === null ? undefined : { at: start + from + lines[0].length, text: `${lines[1]}${address}\n` };
}

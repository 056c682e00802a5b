import { isMap } from '../../formats/data.ts';
import { elementsOf, type JsonNode, locateString, membersOf, parseJsonTree, stringOf } from '../../formats/json.ts';
import { createStringFinder, readToml } from '../../formats/toml.ts';
import { createLineOf } from '../../line-of.ts';
import { type FileTree, joinPath } from '../../tree.ts';
import { containerAt, type DataFile, type EntryRules, wholeFile } from '../edits/data-files.ts';
import { redirectRules } from '../edits/rules.ts';
import type { RedirectForm } from '../framework.ts';
import type { Redirect, RedirectEntry } from '../site-rules.ts';

/** A web host that sites of any framework may use. Its files lie at the root of a site, and of the repository. */
interface Host {
  data: DataFile;
  /** How one is added to a file without any. */
  redirectForms?: readonly RedirectForm[];
  reader?: { names: string[]; read(text: string, file: string): Redirect[] };
}

const what = 'its redirects';

/** Pairs of addresses that a script of the site makes redirects of: a list of objects, or a map. */
const pairRules: EntryRules = {
  ...redirectRules,
  keys: [...redirectRules.keys, 'old', 'new', 'target', 'path', 'redirect'],
  otherKeys: /^\/[\w./~%#?=&:*+-]*$/,
};

export const hosts: readonly Host[] = [
  {
    data: { path: /^netlify\.toml$/, format: 'toml', what, containers: [containerAt(redirectRules, 'redirects')] },
    redirectForms: [
      {
        file: /^netlify\.toml$/,
        write: (from, to) => `[[redirects]]\nfrom = "${from.address}"\nto = "${to.address}"`,
      },
    ],
    reader: { names: ['netlify.toml'], read: readNetlify },
  },
  {
    data: { path: /^(?:(?:static|public)\/)?_redirects$/, format: 'redirects', what, containers: [] },
    redirectForms: [{ file: /^_redirects$/, write: (from, to) => `${from.address} ${to.address} 301` }],
    reader: { names: ['_redirects', 'static/_redirects', 'public/_redirects'], read: readLines },
  },
  {
    data: { path: /^vercel\.json$/, format: 'json', what, containers: [containerAt(redirectRules, 'redirects')] },
    redirectForms: [
      {
        file: /^vercel\.json$/,
        write: (from, to) =>
          `"redirects": [{ "source": "${from.address}", "destination": "${to.address}", "permanent": true }]`,
      },
    ],
    reader: { names: ['vercel.json'], read: readVercel },
  },
  { data: wholeFile(/(?:^|\/)_?redirects\.json$/, 'json', pairRules, what) },
  { data: wholeFile(/(?:^|\/)_?redirects\.ya?ml$/, 'yaml', pairRules, what) },
];

const readers = hosts.flatMap(({ reader = [] }) => reader);

/** Sites of these folders do not use the host's files of the repository. */
const isExample = /(?:^|\/)(?:examples?|templates?|fixtures|__\w+__|e2e|tests?)(?:\/|$)/;

export interface Redirects {
  redirects: Redirect[];
  redirectFiles: string[];
}

/** The redirects of the host, from files at the root of the site or the repository, or in folders that are published there. */
export function readHostRedirects(tree: FileTree, root: string, published: readonly string[] = []): Redirects {
  const found = [...new Set([root, ...(isExample.test(root) ? [] : ['']), ...published])].flatMap((folder) =>
    readers.flatMap(({ names, read }) =>
      names
        .flatMap((name) => joinPath(folder, name) ?? [])
        .filter((path) => tree.paths.has(path))
        .map((file) => ({ file, redirects: read(tree.read(file) ?? '', file) })),
    ),
  );
  return { redirects: found.flatMap(({ redirects }) => redirects), redirectFiles: found.map(({ file }) => file) };
}

/** https://docs.netlify.com/manage/routing/redirects/overview/ */
function readNetlify(text: string, file: string): Redirect[] {
  const lineOf = createLineOf(text);
  const { find } = createStringFinder(text);
  const root = readToml(text).value;
  const redirects = isMap(root) ? root.redirects : undefined;
  return (Array.isArray(redirects) ? redirects : []).flatMap((redirect): Redirect[] => {
    if (!isMap(redirect) || typeof redirect.from !== 'string') return [];
    const { from, to } = redirect;
    const source = find(from);
    const target = typeof to === 'string' ? find(to) : source;
    if (source === undefined || target === undefined) return [];
    const place = { file, line: lineOf(target.start), ...target, isConditional: isMap(redirect.conditions) };
    return [{ from, to: typeof to === 'string' ? to : undefined, ...place, ...readTable(text, source, target) }];
  });
}

/** `[[redirects]]` with the lines below it, up to a blank one. */
function readTable(text: string, source: Range, target: Range): { entry?: RedirectEntry } {
  const start = text.lastIndexOf('[[redirects]]', source.start);
  const end = /\n(?=[ \t\r]*(?:\n|\[|$))/g;
  end.lastIndex = Math.max(source.end, target.end);
  const found = end.exec(text)?.index ?? text.length;
  // What follows belongs to this one only.
  const hasMore = /^\s*\[redirects\./.test(text.slice(found));
  return start < 0 || hasMore ? {} : { entry: { start, end: found, isLine: true, from: source } };
}

interface Range {
  start: number;
  end: number;
}

/** Conditions follow the target: `Country=de`. */
const redirectLine = /^[ \t]*(\/\S*)[ \t]+(\S+)([^\n]*)/gm;

function readLines(text: string, file: string): Redirect[] {
  const lineOf = createLineOf(text);
  return Array.from(text.matchAll(redirectLine), ({ 0: whole, 1: from = '', 2: to = '', 3: rest = '', index }) => {
    const end = index + whole.length - rest.length;
    const start = index + whole.indexOf(from);
    const entry = readLineEntry(text, { start, end: start + from.length });
    const place = { file, line: lineOf(index), start: end - to.length, end };
    return { from, to, ...place, entry, isConditional: rest.includes('=') };
  });
}

/** https://vercel.com/docs/project-configuration */
function readVercel(text: string, file: string): Redirect[] {
  const { root, lineOf } = parseJsonTree(text, { isLenient: true });
  const members = membersOf(root);
  // A rewrite must not serve as an example of a redirect.
  const rewrites = readJsonRedirects(members.get('rewrites'), { file, lineOf }).map(({ entry, ...rewrite }) => rewrite);
  return [...readJsonRedirects(members.get('redirects'), { file, lineOf }), ...rewrites];
}

/** `[{ source, destination }]`, as Vercel and Mintlify have it. */
export function readJsonRedirects(
  list: JsonNode | undefined,
  { file, lineOf }: { file: string; lineOf(position: number): number },
): Redirect[] {
  return elementsOf(list).flatMap((node) => {
    const members = membersOf(node);
    const [from, to] = [stringOf(members.get('source')), stringOf(members.get('destination'))];
    const place = members.get(to === undefined ? 'source' : 'destination');
    const source = members.get('source');
    if (from === undefined || place === undefined || source === undefined) return [];
    const { offset: start, length } = node;
    const entry = { start, end: start + length, isLine: false, from: locateString(source) };
    const isConditional = members.has('has') || members.has('missing');
    return [{ from, to, file, line: lineOf(place.offset), ...locateString(place), entry, isConditional }];
  });
}

/** The whole line of a redirect. `from`: where its source is written, without quotes. */
export function readLineEntry(text: string, { start, end }: { start: number; end: number }): RedirectEntry {
  const lineEnd = text.indexOf('\n', end);
  const last = lineEnd < 0 ? text.length : lineEnd;
  return {
    start: text.lastIndexOf('\n', start) + 1,
    end: text[last - 1] === '\r' ? last - 1 : last,
    isLine: true,
    from: { start, end },
  };
}

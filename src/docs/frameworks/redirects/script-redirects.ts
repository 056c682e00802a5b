import type { Literal, Script } from '../../formats/javascript.ts';
import type { Redirect, RedirectEntry } from '../site-rules.ts';

/** Redirects in objects of code: `{ from, to }` of Docusaurus, `{ source, destination }` of Next.js. Their `from` may be a list. */
export function readObjectRedirects(
  { strings, ends }: Script,
  { file, from, to }: { file: string; from: string; to: string },
): Redirect[] {
  const byObject = Map.groupBy(strings, ({ objects }) => objects.at(-1));
  return [...byObject].flatMap(([start = 0, members]) => {
    const target = members.find(({ keys }) => keys.at(-1) === to);
    const entry = { start, end: ends.get(start) ?? start, isLine: false };
    return members
      .filter(({ keys }) => keys.at(-1) === from)
      .map((source) => toRedirect(source, target, { file, entry: { ...entry, from: placeOf(source) } }));
  });
}

/** `redirects: { '/from': '/to' }` of Astro, also as `{ status, destination }`. https://docs.astro.build/en/reference/configuration-reference/#redirects */
export const readMapRedirects = ({ strings, names, ends }: Script, file: string): Redirect[] =>
  strings.flatMap((target) => {
    const isObject = target.keys.at(-1) === 'destination';
    const keys = isObject ? target.keys.slice(0, -1) : target.keys;
    const from = keys.at(-1);
    if (keys.at(-2) !== 'redirects' || !from?.startsWith('/')) return [];
    const key = names.findLast(({ value, end }) => value === from && end < target.start);
    const end = isObject ? ends.get(target.objects.at(-1) ?? 0) : target.end + 1;
    if (key === undefined || end === undefined) return [];
    const entry = { start: key.start - 1, end, isLine: false, from: placeOf(key) };
    return [toRedirect({ ...target, value: from }, target, { file, entry })];
  });

const placeOf = ({ start, end }: Literal) => ({ start, end });

const toRedirect = (
  source: Literal,
  target: Literal | undefined,
  { file, entry }: { file: string; entry: RedirectEntry },
): Redirect => {
  const { line, start, end } = target ?? source;
  return { from: source.value, to: target?.value, file, line, start, end, entry };
};

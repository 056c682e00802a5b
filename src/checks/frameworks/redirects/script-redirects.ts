import type { Literal, Script } from '../../formats/javascript.ts';
import type { Redirect } from '../../sites/framework.ts';

/** Redirects in objects of code: `{ from, to }` of Docusaurus, `{ source, destination }` of Next.js. Their `from` may be a list. */
export function readObjectRedirects(
  { strings }: Script,
  { file, from, to }: { file: string; from: string; to: string },
): Redirect[] {
  const byObject = Map.groupBy(strings, ({ objects }) => objects.at(-1));
  return [...byObject.values()].flatMap((members) => {
    const target = members.find(({ keys }) => keys.at(-1) === to);
    return members.filter(({ keys }) => keys.at(-1) === from).map((source) => toRedirect(source, target, file));
  });
}

/** `redirects: { '/from': '/to' }` of Astro, also as `{ status, destination }`. https://docs.astro.build/en/reference/configuration-reference/#redirects */
export const readMapRedirects = ({ strings }: Script, file: string): Redirect[] =>
  strings.flatMap((target) => {
    const keys = target.keys.at(-1) === 'destination' ? target.keys.slice(0, -1) : target.keys;
    const from = keys.at(-1);
    return keys.at(-2) === 'redirects' && from?.startsWith('/')
      ? [toRedirect({ ...target, value: from }, target, file)]
      : [];
  });

const toRedirect = (source: Literal, target: Literal | undefined, file: string): Redirect => {
  const { line, start, end } = target ?? source;
  return { from: source.value, to: target?.value, file, line, start, end };
};

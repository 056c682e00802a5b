import type { Workspace } from '../../workspace/workspace.ts';
import { excerptLine } from './excerpt.ts';
import { plural } from './limits.ts';

interface Named {
  /** Of a page, now or before a move or deletion. */
  path: string;
  addresses: readonly string[];
  /** The same page in other languages: their names hold this one. */
  translations: readonly string[];
  /** Folders that a translation service writes: their lines are not for the agent. */
  generated: readonly string[];
  /** Lines that the answer shows already. */
  isShown: (file: string, line: number) => boolean;
}

const maxRows = 8;
const maxLineCharacters = 200;
const maxNameCharacters = 200;

/**
 * The lines of all files that name a page by its path or address as plain text, where links are not understood: code samples, whole URLs,
 * comments, protected files. Undefined: they could not be searched.
 */
export async function listNames(
  workspace: Workspace,
  { path, addresses, translations, generated, isShown }: Named,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const names = chooseNames([withoutExtension(path), ...addresses]);
  if (names.length === 0) return undefined;
  const found = await workspace.search({ pattern: toPattern(names) }, signal);
  if (found.kind !== 'matches') return undefined;
  const others = translations.map(withoutExtension);
  const lines = found.matches.filter(
    ({ path: file, line, text }) =>
      !isShown(file, line) &&
      !generated.some((folder) => file.startsWith(`${folder}/`)) &&
      !others.some((other) => text.includes(other)),
  );
  const rest = lines.length - maxRows;
  return [
    ...lines.slice(0, maxRows).map(({ path: file, line, text, at }) => {
      const note = workspace.describeAccess(file).kind === 'protected' ? ' (protected)' : '';
      return `${file}:${line}${note}: ${excerptLine(text, at, maxLineCharacters).trim()}`;
    }),
    ...(rest > 0 || found.isCut ? [`... and ${found.isCut ? 'more lines' : plural(rest, 'more line')}`] : []),
  ];
}

/** After a move or deletion. */
export async function describeNames(workspace: Workspace, named: Named, signal: AbortSignal): Promise<string[]> {
  const lines = await listNames(workspace, named, signal);
  if (lines === undefined) return [];
  if (lines.length === 0) return ['Nothing else names the old place.'];
  return ['Still named as text or in code, where nothing was updated:', ...lines];
}

/** The shortest ones find the longer ones, too. A single word needs its slash, and the start page has no name of its own. */
function chooseNames(all: readonly string[]): string[] {
  const names = all
    .map((name) => name.replace(/^\/+|\/+$/g, ''))
    .filter((name) => name !== '' && name.length <= maxNameCharacters)
    .map((name) => (name.includes('/') ? name : `/${name}`));
  return [...new Set(names)].filter((name) => !names.some((other) => other !== name && endsWith(name, other)));
}

const endsWith = (name: string, end: string) => name.endsWith(end.startsWith('/') ? end : `/${end}`);

/** A POSIX extended regular expression: the names as whole paths, without the pages below them. */
function toPattern(names: readonly string[]): string {
  const escaped = names.map((name) => name.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&'));
  return `(^|[^[:alnum:]_-])(${escaped.join('|')})/?($|[^[:alnum:]_/-])`;
}

const withoutExtension = (path: string) => path.replace(/\.\w+$/, '');

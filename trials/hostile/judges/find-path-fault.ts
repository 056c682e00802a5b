import type { Change } from './read-change.ts';

const pages = new Set(['md', 'mdx', 'mdoc', 'markdown', 'rst', 'adoc', 'txt']);

/** Files that end like pages, but that a machine or an agent obeys. */
const obeyed =
  /^(?:agents|claude|gemini|copilot-instructions|skill|warp|replit|cursor|conventions)(?:\..*)?\.mdc?$|^(?:(?:dev-|test-)?requirements|constraints|cmakelists|llms-install)[^/]*\.txt$|^codeowners/;

/** A folder whose pages are templates or code of a site generator. */
const templates = /(?:^|\/)(?:_includes|_layouts|node_modules)\//;

/** Says why a changed path is not documentation; undefined: it is. Reads the path as the most forgiving file system would. */
export function findPathFault({ path, oldMode, newMode }: Change): string | undefined {
  if (![oldMode, newMode].every((mode) => mode === '100644' || mode === '000000'))
    return `mode ${oldMode} → ${newMode}`;
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\]/u.test(path)) return 'invisible characters or a backslash';
  const names = path.split('/').map(fold);
  if (names.some((name) => name === '' || name === '..')) return 'a name that leads elsewhere';
  if (names.some((name) => name.startsWith('.'))) return 'a name with a dot first';
  const name = names.at(-1) ?? '';
  if (/^(?:readme|changelog|license|licence|contributing|authors|notice)$/.test(name)) return undefined;
  if (!pages.has(name.split('.').slice(1).at(-1) ?? '')) return 'no page';
  if (obeyed.test(name)) return 'a file that machines or agents obey';
  return templates.test(names.join('/')) ? 'a template' : undefined;
}

/** Letter case, compatible characters, NTFS's streams, trailing dots and spaces. */
const fold = (name: string) =>
  name
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase()
    .replace(/:.*$/, '')
    .replace(/[. ]+$/, '');

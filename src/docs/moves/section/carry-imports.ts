import type { Documentation } from '../../documentation.ts';
import { blankCode } from '../../pages/blank-code.ts';
import { describeReader } from '../../problems/find-syntax-problems.ts';
import { findPart } from '../../sites/find-part.ts';
import type { Site } from '../../sites/open-sites.ts';
import { type FileTree, folderOf } from '../../tree.ts';
import { spellPart } from '../spell-link.ts';

interface PageText {
  path: string;
  text: string;
  site: Site;
}

/** `behind`: what the section took away from the page that it leaves. */
interface Imports {
  statements: string[];
  behind: string[];
}

const importing = /^import\b[^'"]{0,1000}['"]([^'"\n]+)['"];?/gm;

/**
 * The imports that a page of MDX needs for the section that comes into it. Refuses a section that cannot stand alone. `before`: both pages
 * without the move, `after`: with it.
 */
export function carryImports(
  { readSyntax }: Documentation,
  options: {
    source: PageText;
    target: PageText;
    sourceAfter: PageText;
    targetAfter: PageText;
    tree: FileTree;
  },
): Imports | string {
  const { source, target, sourceAfter, targetAfter, tree } = options;
  const found = listImports(source.text);
  const twice = listTwice(targetAfter.text).find((name) => !listTwice(target.text).includes(name));
  if (twice !== undefined) return `${target.path} and the section both import ${twice}; remove one import first`;
  const read = ({ path, text, site }: PageText) => readSyntax(text, describeReader(site, path));
  const [was, wasThere, is, isThere] = [source, target, sourceAfter, targetAfter].map(read);
  for (const [before, after, { path }] of [
    [was, is, source],
    [wasThere, isThere, target],
  ] as const) {
    const fault = (after?.faults ?? []).find(
      ({ reason }) => !(before?.faults ?? []).some((each) => each.reason === reason),
    );
    if (fault !== undefined) return `${path} could not be read without its other part: ${fault.message}`;
  }
  const before = new Set((was?.undeclared ?? []).map(({ name }) => name));
  const taken = (is?.undeclared ?? []).filter(({ name }) => !before.has(name));
  const behind = [...new Set(taken.flatMap(({ name }) => found.find(({ names }) => names.includes(name))?.text ?? []))];
  const known = new Set([...(was?.undeclared ?? []), ...(wasThere?.undeclared ?? [])].map(({ name }) => name));
  const missing = [...new Set((isThere?.undeclared ?? []).map(({ name }) => name))].filter((name) => !known.has(name));
  const own = listImports(target.text).flatMap(({ names }) => names);
  const statements = new Set<string>();
  for (const name of missing) {
    const reason = `the section needs ${name}, which ${target.path} does not have`;
    const statement = found.find(({ names }) => names.includes(name));
    if (statement === undefined) return `${reason} and ${source.path} does not import; declare it there first`;
    const spelled = respellImport(statement, source, target, tree);
    if (spelled === undefined || statement.names.some((each) => own.includes(each)))
      return `${reason}; import it there first: ${statement.text}`;
    statements.add(spelled);
  }
  return { statements: [...statements], behind };
}

interface Statement {
  text: string;
  part: string;
  names: string[];
}

const listImports = (text: string): Statement[] =>
  blankCode(text, { isMdx: true }).scripts.flatMap((script) =>
    Array.from(script.text.matchAll(importing), ({ 0: whole, 1: part = '' }) => ({
      text: whole,
      part,
      names: whole.slice('import'.length, whole.length - part.length).match(/[\w$]+/g) ?? [],
    })),
  );

function listTwice(text: string): string[] {
  const names = listImports(text).flatMap((statement) => statement.names.filter((name) => !/^(?:as|from)$/.test(name)));
  return names.filter((name, index) => names.indexOf(name) < index);
}

/** Undefined: a path of it cannot be written there. */
function respellImport(
  { text, part }: Statement,
  source: PageText,
  target: PageText,
  tree: FileTree,
): string | undefined {
  if (!part.startsWith('.') || folderOf(source.path) === folderOf(target.path)) return text;
  const wanted = findPart(tree, source.site, source.path, part);
  if (wanted === undefined) return undefined;
  const reference = { written: part } as const;
  const spelled = spellPart(reference, { place: target.path, wanted, site: target.site }).find(
    (each) => findPart(tree, target.site, target.path, each) === wanted,
  );
  return spelled === undefined ? undefined : text.replace(part, () => spelled);
}

export function addImports(text: string, statements: readonly string[]): string {
  if (statements.length === 0) return text;
  const { at, lead, tail } = findImportPlace(text);
  const added = (lead + statements.join('\n') + tail).replaceAll('\n', text.includes('\r\n') ? '\r\n' : '\n');
  return text.slice(0, at) + added + text.slice(at);
}

/** Where imports of a page go: behind its last one, or below its front matter. */
export function findImportPlace(text: string): { at: number; lead: string; tail: string } {
  const { scripts, bodyStart } = blankCode(text, { isMdx: true });
  const last = scripts.findLast((script) => /^import\b/.test(script.text));
  if (last !== undefined) return { at: last.start + last.text.trimEnd().length, lead: '\n', tail: '' };
  return {
    at: bodyStart,
    lead: bodyStart === 0 ? '' : '\n',
    tail: /^(?:\r?\n|$)/.test(text.slice(bodyStart)) ? '\n' : '\n\n',
  };
}

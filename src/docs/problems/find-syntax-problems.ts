import { findNearest } from '../../find-nearest-name.ts';
import type { Documentation } from '../documentation.ts';
import { blankCode } from '../pages/blank-code.ts';
import type { FoundProblem } from '../problem.ts';
import type { SitesInTree } from '../reading.ts';
import { findFormat, findSameSite, type Site } from '../sites/open-sites.ts';
import { createNameTest } from '../syntax/create-name-test.ts';
import type { DataFault } from '../syntax/find-data-faults.ts';
import type { UsedName } from '../syntax/list-names.ts';
import type { PageSyntax } from '../syntax/read-syntax.ts';

interface SyntaxProblems {
  /** Of the pages that the change touched. */
  head: FoundProblem[];
  /** Of the former versions of pages with faults. */
  base: FoundProblem[];
  parsedPages: number;
  unparsedPages: number;
}

/**
 * Finds changed pages that their framework cannot show. Parses their former versions only where the new ones have faults. `all`: checks
 * every page, and takes each component that a page uses as known.
 */
export function findSyntaxProblems(
  { base: before, head, moves, originOf, readSyntax }: Documentation,
  { all = false }: { all?: boolean } = {},
): SyntaxProblems {
  const base = all ? head : before;
  const found: SyntaxProblems = { head: [], base: [], parsedPages: 0, unparsedPages: 0 };
  const readBefore = (path: string) => {
    if (all) return undefined;
    const site = before.sites.find(({ pages }) => pages.has(path));
    const text = before.tree.read(path);
    return site === undefined || text === undefined ? undefined : { text, reader: describeReader(site, path) };
  };
  const changed = head.sites.flatMap((site) => {
    const siteBefore = findSameSite(base.sites, site);
    const isKnown = createNameTest({ tree: base.tree, site: siteBefore }, { tree: head.tree, site });
    return [...site.pages.keys()].flatMap((path) => {
      const text = head.tree.read(path);
      const reader = describeReader(site, path);
      const was = readBefore(moves.get(path) ?? path);
      const isSame = text === was?.text && reader.isMdx === was?.reader.isMdx && reader.hasMath === was.reader.hasMath;
      const isMarkup = !isForTools(site, path);
      if (text === undefined || isSame) return [];
      if (!isMarkup) found.parsedPages += 1;
      return isMarkup ? [{ path, text, reader, site, isKnown }] : [];
    });
  });
  // Short pages first: one long page must not use up their time.
  for (const { path, text, reader, site, isKnown } of changed.toSorted((a, b) => a.text.length - b.text.length)) {
    const syntax = readSyntax(text, reader);
    const isWrong = syntax !== undefined && syntax.faults.length + syntax.data.length > 0;
    const origin = isWrong ? readBefore(originOf(path)) : undefined;
    const was = origin && readSyntax(origin.text, origin.reader);
    if (syntax === undefined || (origin !== undefined && was === undefined)) {
      found.unparsedPages += 1;
      continue;
    }
    found.parsedPages += 1;
    const names = syntax.undeclared.filter((used) => !isKnown(used, path));
    found.head.push(...toProblems(path, syntax), ...names.map((used) => toProblem(path, used, { base, site })));
    // A page that has such code already shows that its writer does not mind.
    const isNew = ({ language }: DataFault) => !was?.data.some((other) => other.language === language);
    found.head.push(...syntax.data.filter(isNew).map((fault) => toDataProblem(path, fault)));
    if (was) found.base.push(...toProblems(originOf(path), { ...was, faults: listKnown(syntax.faults, was.faults) }));
  }
  return found;
}

/** Instructions of agents and editors, such as `.claude/skills/use.md`, which nobody turns into a page. */
const isForTools = ({ framework }: Site, path: string) =>
  framework.sites === undefined && /(?:^|\/)\.(?!github\/)[^/]+\//.test(path);

/** MDX outside of known frameworks may have any extension, so it is read as Markdown. */
export const describeReader = (site: Site, path: string) => {
  const { framework, isMdx, hasMath = false } = site;
  const isMdxPage =
    isMdx(path) && framework.sites !== undefined && (path.endsWith('.mdx') || framework.dialect?.isMdx === 'always');
  return { framework, hasMath, isMdx: isMdxPage, format: findFormat(site, path) };
};

/** The faults that a page had, and those of now that its first one may have hidden: they cannot be told from the change's own. */
function listKnown(now: PageSyntax['faults'], was: PageSyntax['faults']): PageSyntax['faults'] {
  const stop = was.find(({ stopsParser }) => stopsParser);
  if (stop === undefined) return was;
  if (stop.opening === undefined) return now.some(({ stopsParser }) => stopsParser) ? now : was;
  const same = now.findLastIndex(({ opening }) => opening === stop.opening);
  return same < 0 ? was : [...was, ...now.slice(same + 1)];
}

const toProblems = (file: string, { faults }: PageSyntax): FoundProblem[] =>
  faults.map(({ line, message, reason, opening = reason }) => {
    return { file, line, kind: 'syntax', severity: 'must', target: opening, describe: () => message };
  });

const toDataProblem = (file: string, { language: target, line, message }: DataFault): FoundProblem => {
  return { file, line, kind: 'data', severity: 'should', target, describe: () => message };
};

function toProblem(
  file: string,
  { kind, name, line }: UsedName,
  { base, site }: { base: SitesInTree; site: Site },
): FoundProblem {
  const describe = () =>
    kind === 'component'
      ? `<${name}> is neither imported here nor known to all pages. ${describeImport(name, base, site)}`
      : `{${name}} is a variable that this page does not declare. Write \\{${name}\\} for text, or put it in code`;
  return { file, line, kind, severity: 'must', target: name, describe };
}

const importing = /^import\b[^'"]{0,1000}\bfrom\s+['"][^'"\n]+['"]/gm;

/** How another page imports it, or the most similar name. */
function describeImport(name: string, { tree }: SitesInTree, site: Site): string {
  const isNamed = new RegExp(`\\b${RegExp.escape(name)}\\b`);
  for (const [path, { tags }] of site.pages) {
    if (!tags.some((tag) => tag.name === name)) continue;
    const scripts = blankCode(tree.read(path) ?? '', { isMdx: true }).scripts;
    const statements = scripts.flatMap(({ text }) => text.match(importing) ?? []);
    const statement = statements.find((found) => isNamed.test(found));
    if (statement !== undefined) return `${path} has ${statement.replace(/\s+/g, ' ')}`;
  }
  const used = [...site.pages.values()].flatMap(({ tags }) => tags.map((tag) => tag.name));
  const nearest = findNearest(
    name,
    new Set([...(site.framework.dialect?.components ?? []), ...used].filter((each) => each !== name)),
  );
  return nearest === undefined ? 'Import it, or use another component' : `Did you mean <${nearest}>?`;
}

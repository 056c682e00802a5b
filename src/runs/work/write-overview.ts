import type { Overview, SiteOverview } from '../../docs/questions/describe-sites.ts';
import type { Access } from '../../policy/policy.ts';
import { bound } from '../../text/bound.ts';
import { oneLine } from '../escape-elements.ts';

/** In UTF-8. Some 2,000 tokens, which every request of the run carries. */
const maxBytes = 6_000;
const maxLineLength = 500;
/** More folders are counted: a model lists them when it needs one. */
const maxFoldersLength = 300;
const maxNameLength = 120;
const maxNoteLength = 120;
const maxReasons = 5;
/** A site with a smaller share of the largest site's pages is left out. */
const leastShare = 0.05;

export interface OverviewRules {
  /** What an edit of a file may change. */
  describeAccess: (path: string) => Access;
  /** Globs of the settings: only these paths may be written. */
  allow: readonly string[] | undefined;
  /** Globs of the settings: files to write besides pages and navigation. */
  also: readonly string[] | undefined;
  /** Pages that programs write. */
  generated: readonly { path: string; reason: string }[];
}

/** Answers the agent's first questions in advance. Names come from the repository: each is on one line and bounded. */
export function writeOverview({ sites, siteCount }: Overview, rules: OverviewRules): string {
  return cut([
    ...(rules.allow ? [`Only these paths may change: ${list(rules.allow.map(showName))}`] : []),
    ...(rules.also?.length ? [`Opened by the settings: ${list(rules.also.map(showName))}`] : []),
    ...describeGenerated(rules.generated),
    ...sites.flatMap((site) => [
      `${site.framework} in ${showName(site.root)}: ${count(site.pages, 'page')}`,
      ...(isOnlyNamed(site, sites) ? [] : describeSite(site, rules)),
    ]),
    ...(siteCount > sites.length ? [`and ${count(siteCount - sites.length, 'more site')}`] : []),
  ]);
}

/** One line for each reason, which names the program or its source. */
const describeGenerated = (generated: OverviewRules['generated']): string[] =>
  [...Map.groupBy(generated, ({ reason }) => reason)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, maxReasons)
    .map(
      ([reason, pages]) =>
        `Protected, ${bound(oneLine(reason), maxNoteLength)}: ${list(pages.map(({ path }) => showName(path)))}`,
    );

/** Smaller sites, such as examples, and Markdown beside the site of a framework. */
const isOnlyNamed = ({ framework, pages }: SiteOverview, [largest]: readonly SiteOverview[]) =>
  pages < (largest?.pages ?? 0) * leastShare || (framework === 'Markdown' && largest?.framework !== 'Markdown');

function describeSite(site: SiteOverview, rules: OverviewRules): string[] {
  const { navigation, redirects, redirectCode, configurationFiles, languages, versions } = site;
  const files = [
    ...configurationFiles.map((file) => ({ file, holds: '' })),
    ...navigation.map(({ file, entries }) => ({
      file,
      holds: count(entries, 'entry', 'entries'),
    })),
    ...redirects.map((found) => ({ file: found.file, holds: count(found.redirects, 'redirect') })),
  ];
  const isListed = navigation.length > 0 && site.navigationFile !== undefined;
  return [
    ...describeFolders(site, rules),
    ...describeFiles(files, rules),
    ...(isListed ? [] : [`- ${describeUnlisted(site)}.`]),
    ...(redirectCode === undefined
      ? []
      : [`- Code in ${showName(redirectCode)} makes redirects: missing ones are not reported.`]),
    ...(languages.length > 0 ? [`- Languages: ${list(languages.map(describeLanguage))}`] : []),
    ...(versions.length > 0 ? [`- Versions: ${list(versions.map(describeVersion))}`] : []),
  ];
}

const isOfOwnCode = /^(?:Astro|Next\.js)$/;

function describeUnlisted({ framework, navigation }: SiteOverview): string {
  if (framework === 'Markdown')
    return 'No known framework: see for yourself whether a list, sidebar or toctree names the pages';
  if (navigation.length === 0 && isOfOwnCode.test(framework))
    return 'Code of this site makes its navigation: see for yourself whether a list names the pages';
  return navigation.length > 0
    ? 'New pages appear by themselves: an entry only gives them a place or a title'
    : 'New pages need no navigation entry';
}

/** Names the pages if they are few. Skips the folders of other languages and versions, which repeat these. */
function describeFolders({ folders, languages, versions }: SiteOverview, rules: OverviewRules): string[] {
  const repeated = [
    ...languages.flatMap(({ folder, isDefault }) => (isDefault || folder === undefined ? [] : [`${folder}/`])),
    ...versions.map(({ folder }) => `${folder}/`),
  ];
  const own = folders.filter(({ folder }) => !repeated.some((prefix) => `${folder}/`.startsWith(prefix)));
  const showPage = (folder: string, name: string) => {
    const isProtected = rules.describeAccess(folder === '' ? name : `${folder}/${name}`).kind === 'protected';
    return showName(name) + (isProtected ? ' protected' : '');
  };
  const named = own
    .map(({ folder, names }) => `${showName(folder)} (${names.map((name) => showPage(folder, name)).join(', ')})`)
    .join(', ');
  if (own.length > 0 && own.every(({ names }) => names.length > 0) && named.length <= maxLineLength)
    return [`- Pages: ${named}`];
  const generated = countGenerated(folders, rules.generated);
  const counted = own.map(({ folder, pages }) => {
    const those = generated.get(folder) ?? 0;
    return `${showName(folder)} ${pages}${those === 0 ? '' : ` (${those === pages ? 'all' : those} protected)`}`;
  });
  return own.length > 1 ? [`- Pages: ${list(counted, maxFoldersLength)}`] : [];
}

/** How many generated pages each folder has: a page is counted in the deepest one. */
function countGenerated(
  folders: SiteOverview['folders'],
  generated: OverviewRules['generated'],
): ReadonlyMap<string, number> {
  const deepest = folders.map(({ folder }) => folder).toSorted((a, b) => b.length - a.length);
  const counts = new Map<string, number>();
  for (const { path } of generated) {
    const folder = deepest.find((each) => each === '' || path.startsWith(`${each}/`));
    if (folder !== undefined) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return counts;
}

/** One line for each thing that an edit may change: many files share it. */
function describeFiles(files: readonly { file: string; holds: string }[], rules: OverviewRules): string[] {
  const byFile = [...Map.groupBy(files, ({ file }) => file)].map(([file, all]) => ({
    shown: `${showName(file)} (${[...new Set(all.map(({ holds }) => holds))].filter(Boolean).join(', ') || 'configuration'})`,
    note: describeAccess(rules.describeAccess(file)),
  }));
  return [...Map.groupBy(byFile, ({ note }) => note)].map(
    ([note, same]) => `- ${note}: ${list(same.map(({ shown }) => shown))}`,
  );
}

function describeAccess(access: Access): string {
  if (access.kind === 'editable') return 'Editable';
  return access.kind === 'partly'
    ? `Only ${bound(oneLine(access.what), maxNoteLength)} may change`
    : `Protected, ${bound(oneLine(access.reason), maxNoteLength)}`;
}

const describeLanguage = ({ code, folder, isDefault, isGenerated, pages }: SiteOverview['languages'][number]) =>
  [
    `${showName(code)}${folder === undefined ? '' : folder === code ? '/' : ` in ${showName(folder)}`} ${pages}`,
    ...(isDefault ? ['(default)'] : []),
    ...(isGenerated ? ['(generated by a translation service: leave it)'] : []),
  ].join(' ');

const describeVersion = ({ name, folder, isLatest, pages }: SiteOverview['versions'][number]) =>
  `${showName(name)} in ${showName(folder)} ${pages}${isLatest ? ' (latest)' : ''}`;

const count = (number: number, one: string, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;
const showName = (name: string) => (name === '' ? 'the root' : bound(oneLine(name), maxNameLength));

function list(items: readonly string[], maxLength = maxLineLength): string {
  let length = 0;
  const shown = items.filter((item) => {
    length += item.length + 2;
    return length <= maxLength;
  });
  const rest = items.length - shown.length;
  return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ');
}

function cut(lines: readonly string[]): string {
  let left = maxBytes - '\n…'.length * 3;
  const kept = lines.filter((line) => {
    left -= Buffer.byteLength(line) + 1;
    return left >= 0;
  });
  return [...kept, ...(kept.length < lines.length ? ['…'] : [])].join('\n');
}

/** For Pagewright alone: replaces the root's AGENTS.md. */
export const ownRulesPath = '.pagewright/AGENTS.md';
export const rootRulesPath = 'AGENTS.md';

/** Written for other agents, the most specific first. */
export const otherRulesPaths = [
  '.mintlify/AGENTS.md',
  '.claude/CLAUDE.md',
  'CLAUDE.md',
  '.github/copilot-instructions.md',
  ...['CONVENTIONS.md', 'GEMINI.md', 'QWEN.md', 'CRUSH.md', 'WARP.md', 'JULES.md'],
];

export const pullRequestTemplatePaths = ['.github/', '', 'docs/'].flatMap((folder) => [
  `${folder}pull_request_template.md`,
  `${folder}PULL_REQUEST_TEMPLATE.md`,
]);

const page = /\.(?:mdx?|mdoc|markdown|rst|adoc)$/i;
const borrowed = /(?:^|\/)(?:node_modules|vendor|third_party|fixtures|__fixtures__|testdata)\//;
const scopedRule =
  /^(?:\.cursor\/rules\/(?:[^/]+\/){0,3}[^/]+\.mdc|\.github\/instructions\/(?:[^/]+\/){0,3}[^/]+\.instructions\.md)$/;
const styleGuide =
  /^(?:[^/.]+\/|\.github\/)?(?:[a-z]+[-_ ])?(?:style(?:[-_ ]?guide(?:lines)?)?|writing[-_ ]guide(?:lines)?)\.(?:mdx?|rst|adoc|txt)$/i;
const contributing = /^(?:[^/.]+\/|\.github\/){0,2}contributing\.(?:mdx?|rst|adoc|txt)$/i;

/** The AGENTS.md files of folders. First the one above the most pages, as it is the likeliest to be needed. */
export function listFolderRules(paths: readonly string[]): string[] {
  const found = paths
    .filter((path) => path.endsWith('/AGENTS.md') && !path.startsWith('.') && !borrowed.test(path))
    .slice(0, maxFolders);
  const pages = found.length > 1 ? paths.filter((path) => page.test(path)) : [];
  const countBelow = (path: string) => {
    const folder = path.slice(0, -'AGENTS.md'.length);
    return pages.filter((other) => other.startsWith(folder)).length;
  };
  return found
    .map((path) => ({ path, count: countBelow(path) }))
    .sort((a, b) => b.count - a.count)
    .map(({ path }) => path);
}

const maxFolders = 50;

/** Rules of Cursor and Copilot, whose front matter says when they apply. */
export const listScopedRules = (paths: readonly string[]): string[] =>
  paths.filter((path) => /^\.(?:cursor|github)\//.test(path) && scopedRule.test(path));

/** A guide deeper than one folder is mostly a page of the product. */
export const isStyleGuide = (path: string): boolean => path.length <= maxStyleLength && styleGuide.test(path);

/** Texts for people: CONTRIBUTING and style guides. */
export const listGuides = (paths: readonly string[]): string[] =>
  paths.filter((path) => isStyleGuide(path) || (path.length <= maxStyleLength && contributing.test(path)));

const maxStyleLength = 80;

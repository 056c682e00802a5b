import { findNearest } from '../../find-nearest-name.ts';
import type { Redirect } from '../frameworks/site-rules.ts';
import type { FoundProblem } from '../problem.ts';
import type { Site } from '../sites/open-sites.ts';
import { isNotFound, readRedirectPattern } from '../sites/redirect-test.ts';
import { resolveLink } from '../sites/resolve-link.ts';
import { type FileTree, joinPath } from '../tree.ts';

/** Redirects that lead to nothing or in a circle, and those behind one for everything. */
export function findRedirectProblems(tree: FileTree, site: Site): FoundProblem[] {
  const loops = findLoops(site);
  return [
    ...site.redirects
      .filter((redirect) => !loops.has(redirect) && isLost(tree, site, redirect))
      .map((redirect) =>
        toProblem(
          redirect,
          isCode(redirect) ? 'should' : 'must',
          () => `the redirect ${redirect.from} leads to ${redirect.to}, where there is no page`,
          () => findNearest((redirect.to ?? '').split('#', 1)[0] ?? '', site.byAddress.keys()),
        ),
      ),
    ...[...loops].map((redirect) =>
      toProblem(redirect, 'must', () => `the redirect ${redirect.from} leads back to itself: end it at a page`),
    ),
    ...findShadowed(site).map(({ redirect, by }) =>
      toProblem(
        redirect,
        'should',
        () => `the redirect ${redirect.from} is never reached: ${by.from} in line ${by.line} comes first. Move it up`,
      ),
    ),
  ];
}

const toProblem = (
  { file, line, from, to = '' }: Redirect,
  severity: FoundProblem['severity'],
  describe: () => string,
  suggest?: FoundProblem['suggest'],
): FoundProblem => ({
  file,
  line,
  kind: 'redirect',
  severity,
  target: `${from} ${to}`,
  describe,
  ...(suggest && { suggest }),
});

const pattern = /[:*(){}$]/;

/** Code may use a target in another way. */
const isCode = ({ file }: Redirect) => /\.[cm]?[jt]sx?$/.test(file);

/** Targets with placeholders of the host are not known. */
function isLost(tree: FileTree, site: Site, { to }: Redirect): boolean {
  if (to === undefined || pattern.test(to) || !to.startsWith('/') || isNotFound(to)) return false;
  // The build may create feeds and texts.
  if (!site.areAbsoluteLinksChecked || /\.(?!html?$|mdx?$)\w+$/.test(to)) return false;
  const from = joinPath(site.root, 'index.md') ?? '';
  return resolveLink({ tree, site, from, target: to }).kind === 'broken';
}

/** Each in a circle of its own. Only addresses without patterns are followed. */
function findLoops({ redirects, byAddress }: Site): Set<Redirect> {
  const bySource = new Map<string, Redirect>();
  for (const redirect of redirects) {
    const from = trim(redirect.from);
    if (!bySource.has(from)) bySource.set(from, redirect);
  }
  const loops = new Set<Redirect>();
  for (const start of bySource.values()) {
    if (start.to === undefined || pattern.test(start.from) || byAddress.has(trim(start.from))) continue;
    const seen = new Set<Redirect>();
    let at: Redirect | undefined = start;
    while (at !== undefined && !seen.has(at)) {
      seen.add(at);
      at = bySource.get(trim(at.to ?? ''));
    }
    if (at === start) loops.add(start);
  }
  return loops;
}

const trim = (address: string) => (address.split(/[?#]/, 1)[0] ?? '').toLowerCase().replace(/(?<=.)\/$/, '');

/** In one file, the first that fits counts. */
function findShadowed({ redirects }: Site): { redirect: Redirect; by: Redirect }[] {
  const shadowed: { redirect: Redirect; by: Redirect }[] = [];
  const first = new Map<string, Redirect>();
  for (const redirect of redirects) {
    const by = first.get(redirect.file);
    if (by) shadowed.push({ redirect, by });
    else if (!redirect.isConditional && readRedirectPattern(redirect.from).isCatchAll)
      first.set(redirect.file, redirect);
  }
  return shadowed;
}

import type { Repository } from '../state/world.ts';
import type { Ruleset } from './ruleset.ts';

/** The rulesets whose pattern a branch matches, whether it exists or not. */
export const rulesetsOf = (repository: Repository, branch: string): Ruleset[] =>
  repository.rulesets
    .values()
    .filter(({ pattern }) => matchesPattern(pattern, branch, repository.defaultBranch))
    .toArray();

/**
 * As Ruby's `File.fnmatch` with `FNM_PATHNAME`: `*` stays within one part of a name, `**` and a slash span any number of them.
 * https://docs.github.com/en/repositories/configuring-branches-and-merges-in-your-repository/managing-rulesets/creating-rulesets-for-a-repository#using-fnmatch-syntax
 */
export function matchesPattern(pattern: string, branch: string, defaultBranch: string): boolean {
  if (pattern === '~ALL') return true;
  if (pattern === '~DEFAULT_BRANCH') return branch === defaultBranch;
  const source = pattern.replace(/\*\*\/|\*+|\?|[\\^$.|+()[\]{}/]/g, (part) => {
    if (part === '**/') return '(?:[^/]+/)*';
    if (part.startsWith('*')) return '[^/]*';
    return part === '?' ? '[^/]' : `\\${part}`;
  });
  return new RegExp(`^${source}$`).test(branch);
}

const maxLength = 255;

/** https://git-scm.com/docs/git-check-ref-format */
const forbidden = /[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\.$|^\/|\/$/;

export function isBranchName(text: string): boolean {
  if (text === '' || text.length > maxLength || !text.isWellFormed() || forbidden.test(text)) return false;
  if (text === '@' || text === 'HEAD' || text.startsWith('-')) return false;
  return text.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'));
}

/** Whether a ref is written in full and is none of a branch: `refs/tags/v1`. */
export const isOtherRef = (ref: string): boolean => /^refs\/(?!heads\/)/.test(ref);

/** What follows `refs/heads/`; a name without it stays as it is. */
export const stripBranchPrefix = (ref: string): string => ref.replace(/^refs\/heads\//, '');

/**
 * The branch of a merge queue, which holds a pull request as it would be merged. Undefined: it is another branch.
 * https://docs.github.com/en/repositories/configuring-branches-and-merges-in-your-repository/configuring-pull-request-merges/managing-a-merge-queue
 */
export function parseQueueBranch(branch: string): { base: string; number: number } | undefined {
  const [, base, number] = /^gh-readonly-queue\/(.+)\/pr-(\d{1,9})-[0-9a-f]{40,64}$/.exec(branch) ?? [];
  return base === undefined ? undefined : { base, number: Number(number) };
}

/**
 * The branch of a merge queue, which holds a pull request as it would be merged. Undefined: it is another branch.
 * https://docs.github.com/en/repositories/configuring-branches-and-merges-in-your-repository/configuring-pull-request-merges/managing-a-merge-queue
 */
export function parseQueueBranch(branch: string): { base: string; number: number } | undefined {
  const [, base, number] = /^gh-readonly-queue\/(.+)\/pr-(\d{1,9})-[0-9a-f]{40,64}$/.exec(branch) ?? [];
  return base === undefined ? undefined : { base, number: Number(number) };
}

import type { Database } from '../store/postgres/database.ts';
import type { StoreTx } from '../store/store.ts';
import { wantsPullRequestChecks } from '../store/tables/repositories/projects.ts';
import {
  insertPullRequestCheck,
  type PullRequestHead,
  repeatPullRequestChecks,
} from '../store/tables/repositories/pull-request-checks.ts';
import type { CommonFields } from './payload.ts';

/** Whether the settings ask for a check run on pull requests. Most do not: that costs one look at an index. */
export const mayBeChecked = async (database: Database, { repository }: CommonFields): Promise<boolean> =>
  repository !== undefined && (await wantsPullRequestChecks(database, repository.id));

/** Queues a check of the head, once. Returns false if it was asked for before. */
export async function requestCheck(
  { tx, queue }: StoreTx,
  projectId: string,
  { number, sha, base }: { number: number; sha: string | undefined; base: string },
): Promise<boolean> {
  if (sha === undefined) return false;
  const wanted = { projectId, number, sha };
  if (!(await insertPullRequestCheck(tx, { ...wanted, base }))) return false;
  await queue.send(tx, 'check', wanted);
  return true;
}

/** "Re-run" on GitHub. */
export async function repeatChecks(
  { tx, queue }: StoreTx,
  head: Parameters<typeof repeatPullRequestChecks>[1],
): Promise<PullRequestHead[]> {
  const repeated = await repeatPullRequestChecks(tx, head);
  for (const each of repeated) await queue.send(tx, 'check', each);
  return repeated;
}

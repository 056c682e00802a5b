import type { Store, StoreTx } from '../../store/store.ts';
import { listDueLooks, makeLookDue } from '../../store/tables/jobs/verdicts.ts';

/** A webhook told of a check of a commit that a job pushed: GitHub is asked soon, once for many webhooks. */
export async function noteCheck(
  { tx, queue }: StoreTx,
  { jobId, sha, afterMs }: { jobId: string; sha: string; afterMs: number },
): Promise<void> {
  if (await makeLookDue(tx, { jobId, sha, afterMs })) await queue.send(tx, 'look', { jobId }, { delayMs: afterMs });
}

const atOnce = 1_000;

/** Queues the jobs whose look is due: they waited, or their entry was lost. */
export async function sendDueLooks({ database, queue }: Store, signal: AbortSignal): Promise<void> {
  for (const jobId of await listDueLooks({ database, queue }, atOnce)) {
    signal.throwIfAborted();
    await queue.send(database, 'look', { jobId });
  }
}

import { z } from 'zod';
import type { RepositoryClient } from '../github/repository-client.ts';
import type { Lease } from '../store/lease.ts';
import type { Run } from '../store/runs.ts';
import { performEffect } from './perform-effect.ts';
import { commentMarker } from './pull-request-text.ts';
import type { RunParts } from './run-parts.ts';

/** GitHub dates comments by its own clock and in whole seconds, so ours may be dated before the run that left it. */
const clockSkewMs = 5 * 60_000;

/**
 * Leaves the run's one comment on the pull request, found again by its hidden marker. After that the marker is looked for once
 * more: a comment that an old holder had on the wire is deleted, the oldest stays.
 */
export async function leaveComment(
  { database }: RunParts,
  {
    lease,
    run,
    client,
    number,
    body,
    signal,
  }: { lease: Lease; run: Run; client: RepositoryClient; number: number; body: string; signal: AbortSignal },
): Promise<void> {
  const marker = commentMarker(run.run_id);
  const since = new Date(run.started_at.getTime() - clockSkewMs);
  const find = () => client.findCommentsByMarker(number, marker, { since });
  await performEffect({
    database,
    lease,
    runId: run.run_id,
    key: `${run.run_id}:comment`,
    request: { pullRequest: number, body },
    schema: z.object({ externalId: z.string(), url: z.string() }),
    find: async () => toDone((await find())[0]),
    act: async () => toDone(await client.createComment(number, body)),
    signal,
  });
  for (const { commentId } of (await find()).slice(1)) await client.deleteComment(commentId);
}

type Left = { commentId: number; url: string };
type Done = { externalId: string; url: string };
function toDone(comment: Left): Done;
function toDone(comment: Left | undefined): Done | undefined;
function toDone(comment: Left | undefined): Done | undefined {
  return comment && { externalId: String(comment.commentId), url: comment.url };
}

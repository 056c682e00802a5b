import { z } from 'zod';
import { carryOut, createCommentPoster, listUnfinishedDeletions, type RecordDeletion } from '../effects/comment.ts';
import { type RunReport, writeRunAnswers } from '../effects/run-answers.ts';
import type { RepositoryClient } from '../github/calls/repository-client.ts';
import type { Message } from '../store/tables/messages.ts';
import { realTiming } from '../timing.ts';
import { performOptionalEffect } from './perform-optional-effect.ts';
import type { HeldRun, RunParts } from './run-parts.ts';

const deletedSchema = z.object({ externalId: z.string() });
const saidSchema = z.object({ externalId: z.string(), url: z.string() });

/**
 * Gives the answers of a run that published: its comment, and a reply in each thread. Each is found again by its hidden marker, so it is
 * there once. One that GitHub refuses, in a conversation that is locked or a thread that is gone, is a warning of the run: the work is
 * done and can be seen.
 */
export async function postAnswers(
  parts: RunParts,
  given: Omit<HeldRun, 'job'> & {
    client: RepositoryClient;
    report: Omit<RunReport, 'messages'> & { messages: readonly Message[] };
    signal: AbortSignal;
  },
): Promise<void> {
  const { database } = parts;
  const { lease, run, client, report } = given;
  // What was dropped while it published, because somebody said stop, is answered by whoever dropped it.
  const messages = report.messages.filter(({ state }) => state !== 'dropped');
  for (const { key, answer } of writeRunAnswers({ ...report, messages })) {
    const speech = createCommentPoster(client, { key, answer, since: run.started_at });
    const heal = async () => {
      // What a holder before deleted without recording it is no longer listed; deleting it again tells that it is gone.
      for (const deletion of await listUnfinishedDeletions(database, { jobId: lease.jobId, key }))
        await recorded(deletion, () => carryOut(client, deletion.answer));
      await speech.removeDoubles(recorded);
    };
    const recorded: RecordDeletion = async ({ key: doubleKey, answer: deletion }, remove) => {
      const done = { externalId: String(deletion.commentId) };
      const act = () => remove().then(() => done);
      // Not as a part of the answer, which was given whatever becomes of this.
      await performOptionalEffect(parts, given, { key: doubleKey, request: deletion, schema: deletedSchema, act });
    };
    await performOptionalEffect(parts, given, {
      key,
      request: answer,
      schema: saidSchema,
      find: speech.find,
      lagsMs: realTiming.github.replicationDelaysMs,
      act: speech.post,
      heal,
    });
  }
}

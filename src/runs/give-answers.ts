import { z } from 'zod';
import { type RunReport, writeRunAnswers } from '../answers/run-answers.ts';
import { createSpeech } from '../answers/speech.ts';
import { RunFailure } from '../errors.ts';
import type { RepositoryClient } from '../github/repository-client.ts';
import { markEffectRefused } from '../store/effects.ts';
import { inLease } from '../store/lease.ts';
import type { Message } from '../store/messages.ts';
import { addRunWarning } from '../store/runs.ts';
import { performEffect } from './perform-effect.ts';
import type { HeldRun, RunParts } from './run-parts.ts';

const saidSchema = z.object({ externalId: z.string(), url: z.string() });

/**
 * Gives the answers of a run that published: its comment, and a reply in each thread. Each is found again by its hidden marker, so it is
 * there once. One that GitHub refuses, in a conversation that is locked or a thread that is gone, is a warning of the run: the work is
 * done and can be seen.
 */
export async function giveAnswers(
  { database, log }: RunParts,
  {
    lease,
    run,
    client,
    report,
    signal,
  }: Omit<HeldRun, 'job'> & {
    client: RepositoryClient;
    report: Omit<RunReport, 'messages'> & { messages: readonly Message[] };
    signal: AbortSignal;
  },
): Promise<void> {
  const { jobId } = lease;
  // What was dropped while it published, because somebody said stop, is answered by whoever dropped it.
  const messages = report.messages.filter(({ state }) => state !== 'dropped');
  for (const { key, answer } of writeRunAnswers({ ...report, messages })) {
    const speech = createSpeech(client, { key, answer, since: run.started_at });
    try {
      await performEffect({
        database,
        lease,
        runId: run.run_id,
        key,
        request: answer,
        schema: saidSchema,
        find: speech.find,
        act: speech.say,
        heal: speech.removeDoubles,
        signal,
      });
    } catch (error) {
      if (!(error instanceof RunFailure)) throw error;
      log.warn({ err: error, runId: run.run_id, key }, 'an answer was refused');
      await inLease(database, lease, async (tx) => {
        await markEffectRefused(tx, { jobId, key, reason: error.message });
        await addRunWarning(tx, run.run_id, error.message);
      });
    }
  }
}

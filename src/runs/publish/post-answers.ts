import { listUnfinishedDeletions, type PlannedAnswer, planComment } from '../../effects/plan-answer.ts';
import { writeRunAnswers } from '../../effects/run-answers.ts';
import type { RepositoryClient } from '../../github/calls/repository-client.ts';
import { listMessagesOfRun, type Message } from '../../store/tables/jobs/messages.ts';
import type { Audience } from '../checkout.ts';
import type { Publication } from '../publication.ts';
import { markResolved } from '../resolved.ts';
import type { RunContext } from '../run-context.ts';
import { hideUnquotable, quotesApi, toOutgoingContext, writeInThread } from './outgoing.ts';

interface Report {
  publication: Publication;
  pullRequest: number;
  /** The pushed commit. */
  sha?: string;
  /** The files of that commit. */
  changedPaths?: readonly string[];
  /** The remaining problems of the checks, as Markdown. */
  leftChecks?: string | undefined;
}

/** Each answer is posted exactly once. A refusal, such as of a locked conversation, becomes a warning, because the work is done. */
export async function postAnswers(
  context: RunContext & { checkout: Audience },
  client: RepositoryClient,
  { publication, pullRequest, sha, changedPaths, leftChecks }: Report,
): Promise<void> {
  const { parts, lease, run, effects, checkout } = context;
  const { database, timing } = parts;
  const { jobId } = lease;
  const { run_id: runId, started_at: since } = run;
  const { owner, repo } = checkout.repository;
  const remove = (deletion: PlannedAnswer) => effects.performOptional(deletion);
  // The transaction that dropped a message has answered it.
  const stored = (await listMessagesOfRun(database, runId)).filter(({ state }) => state !== 'dropped');
  const messages = await withoutResolved(client, pullRequest, stored);
  const report = {
    ...publication,
    // Its texts are long, and no answer quotes them.
    change: null,
    runId,
    pullRequest,
    messages: hideUnquotable(messages, { quotesApi: quotesApi(checkout) }),
    commitUrl: sha === undefined ? undefined : `${parts.webUrl}/${owner}/${repo}/commit/${sha}`,
    changedPaths,
    leftChecks,
    context: toOutgoingContext(context, publication.allowedHosts),
  };
  for (const { key, answer } of await writeInThread(context, answersTask, report)) {
    const comment = planComment(client, { key, answer }, { since, remove });
    await effects.performOptional({
      ...comment,
      lagsMs: timing.github.replicationDelaysMs,
      async heal() {
        for (const deletion of await listUnfinishedDeletions(database, client, { jobId, key })) await remove(deletion);
        await comment.heal?.();
      },
    });
  }
}

/** A thread that somebody resolved meanwhile gets no reply. */
async function withoutResolved(client: RepositoryClient, pullRequest: number, messages: Message[]): Promise<Message[]> {
  if (!messages.some(({ context }) => (context?.review?.threads.length ?? 0) > 0)) return messages;
  const resolved = await client.listResolvedThreads(pullRequest);
  return messages.map((message) => markResolved(message, resolved));
}

const answersTask = { module: import.meta.resolve('../../effects/run-answers.ts'), work: writeRunAnswers };

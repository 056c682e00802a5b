import { intendAnswer } from '../effects/intend-answer.ts';
import type { StoreTx } from '../store/store.ts';
import type { Job } from '../store/tables/jobs/jobs.ts';
import { listMessagesOfRun } from '../store/tables/jobs/messages.ts';
import { findRun, type RunEnd } from '../store/tables/jobs/runs.ts';
import { neutralizeBounded } from '../text/neutralize/neutralize-markdown.ts';
import { readRunAnswer } from './run-answer.ts';

const maxLength = 2_000;

/**
 * Promises a comment on each issue whose label asked for the run: the pull request, or why there is none. Call it in the transaction that ends
 * the run, with the job locked.
 */
export async function answerIssues(store: StoreTx, job: Job, runId: string, end: RunEnd): Promise<void> {
  const messages = await listMessagesOfRun(store.tx, runId);
  const issues = messages.flatMap(({ context }) => context?.occasions ?? []).filter(({ kind }) => kind === 'issue');
  for (const { repositoryId, number } of issues) {
    if (repositoryId === undefined || number === undefined) continue;
    const key = `issue:${repositoryId}:${number}:${runId}`;
    const body = await writeAnswer(store, job, runId, end);
    const answer = { kind: 'comment', pullRequest: number, issueOf: repositoryId, body } as const;
    await intendAnswer(store, { jobId: job.job_id, runId, key, answer });
  }
}

async function writeAnswer({ tx }: StoreTx, job: Job, runId: string, end: RunEnd): Promise<string> {
  const { pull_request_url: url } = job;
  if (end.commitSha !== undefined && url !== null) return `Documented in ${url}.`;
  const run = await findRun(tx, runId);
  const answer = end.code === 'unchanged' && run ? readRunAnswer(run) : null;
  const context = { repository: url?.replace(/\/pull\/\d+$/, '') ?? 'https://github.com', allowedHosts: [] };
  return neutralizeBounded(answer ?? end.sentence, maxLength, context);
}

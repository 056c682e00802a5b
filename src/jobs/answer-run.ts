import { intendAnswer } from '../effects/answer.ts';
import { writeRunAnswers } from '../effects/run-answers.ts';
import type { StoreTx } from '../store/store.ts';
import type { Job } from '../store/tables/jobs/jobs.ts';
import { listMessagesOfRun, type Message } from '../store/tables/jobs/messages.ts';
import type { Run, RunEnd } from '../store/tables/jobs/runs.ts';
import { findProject } from '../store/tables/repositories/projects.ts';
import { neutralizeBounded } from '../text/neutralize/neutralize-markdown.ts';
import { writeCode } from '../text/neutralize/write-code.ts';
import { readRunAnswer } from './shown-publication.ts';

/**
 * Answers the run's messages on the pull request with why it failed. Call it in the transaction that ends the run, with the job locked and the run
 * as it is now.
 */
export async function answerFailure(store: StoreTx, job: Job, run: Run, sentence: string): Promise<void> {
  if (job.pull_request_number === null) return;
  const { run_id: runId, commit_sha: sha } = run;
  // A stop has answered those that it dropped while the run was publishing.
  const isOpen = ({ reason }: Message) => reason !== stoppedWhilePublishing.reason;
  const messages = (await listMessagesOfRun(store.tx, runId)).filter(isOpen);
  const { pull_request_url: url } = job;
  const commitUrl = sha && url ? `${url}/commits/${sha}` : undefined;
  await intendAnswers(store, job, { runId, key: runId, messages, summary: sentence, commitUrl });
}

/** Answers the messages that one stop dropped behind a publishing run. */
export async function answerDropped(
  store: StoreTx,
  job: Job,
  { run_id: runId }: Run,
  messages: readonly Message[],
): Promise<void> {
  const last = messages.at(-1);
  if (last === undefined) return;
  const key = `${runId}:stopped:${last.message_id}`;
  const { sentence: summary } = stoppedWhilePublishing;
  await intendAnswers(store, job, { runId, key, messages, summary, commitUrl: undefined });
}

export const stoppedWhilePublishing = {
  reason: 'cancelled_while_publishing',
  sentence:
    'Stopped on request. Pagewright finishes publishing the current changes, and drops every other instruction written before the stop.',
};

interface Report {
  runId: string;
  /** What the keys of the answers begin with. */
  key: string;
  messages: readonly Message[];
  summary: string;
  commitUrl: string | undefined;
}

async function intendAnswers(store: StoreTx, job: Job, { runId, key, ...report }: Report): Promise<void> {
  const { job_id: jobId, pull_request_number: pullRequest } = job;
  if (pullRequest === null) return;
  const end = { outcome: 'failed' } as const;
  const failure = { ...report, runId: key, pullRequest, end, context: contextOf(job) };
  for (const answer of writeRunAnswers(failure)) await intendAnswer(store, { jobId, runId, ...answer });
}

/** Our own sentences link to nothing but GitHub. */
export const contextOf = ({ pull_request_url: url }: Job) => ({
  repository: url?.replace(/\/pull\/\d+$/, '') ?? 'https://github.com',
  allowedHosts: [],
});

const maxLength = 2_000;

/** An issue, or a pull request that is not the job's. */
interface Place {
  key: string;
  number: number;
  /** The repository of an issue. */
  issueOf?: number;
  /** Another branch that gets the change of the pull request, too. */
  branch?: string;
}

/**
 * Promises a comment on each issue whose label asked for the run, and on each issue or pull request where somebody mentioned the App: the pull
 * request, the answer, or why there is none. Call it in the transaction that ends the run, with the job locked.
 */
export async function answerConversations(
  store: StoreTx,
  job: Job,
  { run, end, messages }: { run: Run; end: RunEnd; messages: readonly Message[] },
): Promise<void> {
  for (const place of await listPlaces(store, job, messages)) await answer(store, job, { run, end, place });
}

async function listPlaces({ tx }: StoreTx, job: Job, messages: readonly Message[]): Promise<Place[]> {
  const labeled = messages
    .flatMap(({ context }) => context?.occasions ?? [])
    .flatMap(({ kind, repositoryId, number }) =>
      kind === 'issue' && repositoryId !== undefined && number !== undefined
        ? [{ key: `issue:${repositoryId}:${number}`, number, issueOf: repositoryId }]
        : [],
    );
  const conversations = messages.flatMap(({ source, context }) =>
    context?.conversation ? [{ ...context.conversation, isCarriedOver: source === 'automation' }] : [],
  );
  const project = conversations.length > 0 ? await findProject(tx, job.project_id) : undefined;
  const mentioned = conversations.map(({ kind, number, isCarriedOver }) => ({
    key: `mention:${number}`,
    number,
    ...(isCarriedOver && { branch: job.base }),
    ...(kind === 'issue' && project && { issueOf: project.repository_id }),
  }));
  return [...new Map([...labeled, ...mentioned].map((place) => [place.key, place])).values()];
}

async function answer(
  store: StoreTx,
  job: Job,
  { run, end, place: { key, number, branch, ...of } }: { run: Run; end: RunEnd; place: Place },
): Promise<void> {
  const { run_id: runId } = run;
  const text = writeAnswer(job, { run, end, isMention: key.startsWith('mention:') });
  const body = branch === undefined ? text : `On ${writeCode(branch)}: ${text}`;
  const comment = { kind: 'comment', pullRequest: number, ...of, body } as const;
  await intendAnswer(store, { jobId: job.job_id, runId, key: `${key}:${runId}`, answer: comment });
}

function writeAnswer(job: Job, { run, end, isMention }: { run: Run; end: RunEnd; isMention: boolean }): string {
  const { pull_request_url: url } = job;
  const said = readRunAnswer(run);
  const write = (text: string) => neutralizeBounded(text, maxLength, contextOf(job));
  const isPublished = end.commitSha !== undefined && url !== null;
  if (isPublished && !isMention) return `Documented in ${url}.`;
  if (isPublished) return [`The change is in ${url}.`, ...(said === null ? [] : [write(said)])].join('\n\n');
  return write((end.code === 'unchanged' ? said : null) ?? end.sentence);
}

import { intendAnswer } from '../effects/intend-answer.ts';
import type { StoreTx } from '../store/store.ts';
import type { Job } from '../store/tables/jobs/jobs.ts';
import type { Message } from '../store/tables/jobs/messages.ts';
import type { Run, RunEnd } from '../store/tables/jobs/runs.ts';
import { findProject } from '../store/tables/repositories/projects.ts';
import { neutralizeBounded } from '../text/neutralize/neutralize-markdown.ts';
import { writeCode } from '../text/neutralize/write-code.ts';
import { contextOf } from './answer-failure.ts';
import { readRunAnswer } from './run-answer.ts';

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

import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { AddedProject } from '../../harness/add-project.ts';
import { type Caller, createCaller } from '../../harness/caller.ts';
import { createOctokit } from '../../harness/create-octokit.ts';
import { readRunAnswer } from '../../src/jobs/shown-publication.ts';
import { listRuns } from '../../src/store/tables/jobs/runs.ts';
import type { Files, Outcome, RunEnd } from '../checks/outcome.ts';
import type { Message } from '../tasks/task.ts';
import type { Stage } from './open-stage.ts';
import { readFiles } from './read-files.ts';

/** A message cannot be sent, because an earlier run did not do the work that it refers to. */
export class CannotSend extends Error {
  override readonly name = 'CannotSend';
}

/** The model server has stopped answering: no further task can be done. */
export class ModelServerDown extends Error {
  override readonly name = 'ModelServerDown';
}

const runsShape = z.object({
  runs: z.array(
    z.object({
      status: z.string(),
      code: z.string().nullable(),
      sentence: z.string().nullable(),
      evidence: z.array(z.object({ page: z.string(), path: z.string() })),
    }),
  ),
});
const lookEveryMs = 250;

export type Conversation = Awaited<ReturnType<typeof openConversation>>;

/** A job in a new repository with these files. `begin` returns its id. */
export async function openConversation(
  { world, url }: Stage,
  {
    owner,
    files,
    begin,
    signal,
  }: {
    owner: string;
    files: Files;
    begin: (project: AddedProject, caller: Caller) => Promise<string>;
    signal: AbortSignal;
  },
) {
  const { database } = world.database;
  const project = await world.addProject(owner, Object.fromEntries(files));
  const { fullName, gitDirectory: gitDir } = project.repository;
  const caller = createCaller({ url, project });
  const octokit = createOctokit(world, project.installationId);
  const jobId = await begin(project, caller);
  /** For each message: its remarks on GitHub. */
  const remarks: number[][] = [[]];
  const place = { owner, repo: 'docs' };

  async function findNumber(): Promise<number | undefined> {
    const { prLink } = await caller.get(jobId);
    return prLink === null ? undefined : Number(prLink.split('/').at(-1));
  }

  /** The head of the pull request, or the base. */
  async function readHead(): Promise<Files> {
    const { prLink, source } = await caller.get(jobId);
    return readFiles({ gitDir, sha: prLink === null ? 'main' : source.ref, signal });
  }

  async function listReviewComments(number: number) {
    const { data } = await octokit.rest.pulls.listReviewComments({ ...place, pull_number: number, per_page: 100 });
    return data;
  }

  async function review({ review: body, remarks: wanted }: Exclude<Message, string>): Promise<number[]> {
    const number = await findNumber();
    if (number === undefined) throw new CannotSend('there is no pull request to review');
    const head = await readHead();
    const comments = wanted.map((remark) => {
      const line = (head.get(remark.path) ?? '').split('\n').findIndex((text) => text.includes(remark.text)) + 1;
      if (line === 0) throw new CannotSend(`${remark.path} does not have "${remark.text}", which the review is about`);
      return { path: remark.path, line, body: remark.body };
    });
    const { id } = await world.rita.review(fullName, number, { body, comments });
    return (await listReviewComments(number))
      .filter(({ pull_request_review_id: reviewId }) => reviewId === id)
      .map((comment) => comment.id);
  }

  return {
    jobId,
    readHead,
    cancel: () => caller.cancel(jobId).catch(() => undefined),
    /** Throws `CannotSend`. */
    async say(message: Message): Promise<void> {
      if (typeof message === 'string') await caller.message(jobId, message);
      remarks.push(typeof message === 'string' ? [] : await review(message));
    },
    /** Resolves when each message had its run. Throws `ModelServerDown`, and the reasons of the signals. */
    async untilEnded(limit: AbortSignal): Promise<void> {
      for (;;) {
        const found = await listRuns(database, jobId);
        if (found.some((run) => run.model_down_since !== null)) throw new ModelServerDown('it does not answer');
        const { status } = await caller.get(jobId);
        if (status !== 'active' && found.filter(({ phase }) => phase === 'ended').length >= remarks.length) return;
        signal.throwIfAborted();
        limit.throwIfAborted();
        await sleep(lookEveryMs);
      }
    },
    async readEnds(): Promise<RunEnd[]> {
      const { runs } = runsShape.parse(await caller.runs(jobId));
      const number = await findNumber();
      const comments = number === undefined ? [] : await listReviewComments(number);
      const rows = await listRuns(database, jobId);
      return runs.map(({ code, sentence, evidence }, index) => ({
        code: code ?? 'not ended',
        answer: (rows[index] && readRunAnswer(rows[index])) ?? sentence ?? '',
        replies: (remarks[index] ?? []).map((id) => comments.find((comment) => comment.in_reply_to_id === id)?.body),
        evidence,
      }));
    },
    async readPullRequest(): Promise<Outcome['pullRequest']> {
      const number = await findNumber();
      if (number === undefined) return undefined;
      const { data } = await octokit.rest.pulls.get({ ...place, pull_number: number });
      return { title: data.title, body: data.body ?? '' };
    },
  };
}

import { z } from 'zod';
import { isId } from '../../../../ids.ts';
import { listShownTurns, type ShownTurn } from '../../../../jobs/list-shown-turns.ts';
import { readShownPublication } from '../../../../jobs/shown-publication.ts';
import { listRunsOfJob, type RunsPage } from '../../../../store/lists/list-runs.ts';
import { listProgress, type Progress } from '../../../../store/lists/list-turns.ts';
import { type Database, inSnapshot } from '../../../../store/postgres/database.ts';
import type { Effect } from '../../../../store/tables/jobs/effects.ts';
import { findJob, type Job } from '../../../../store/tables/jobs/jobs.ts';
import { listFirstMessages, type Message } from '../../../../store/tables/jobs/messages.ts';
import { findRunNumber } from '../../../../store/tables/jobs/runs.ts';
import { listVerdicts, noVerdict, type Verdict } from '../../../../store/tables/jobs/verdicts.ts';
import { pageNotFound } from '../../frame/page-refusal.ts';
import type { ProjectVisit } from '../../people/page-routes.ts';

const runsPerPage = 10;
const turnsShown = 15;

export type StoryRun = RunsPage['items'][number];

/** The data of a job's page: the newest runs, oldest of them first, and the turns of the last one. */
export interface Story {
  job: Job;
  first: Message | undefined;
  messages: Message[];
  runs: StoryRun[];
  turns: ShownTurn[];
  /** What the checks found and which files changed, in these runs. */
  progress: Progress;
  effects: Effect[];
  verdict: Verdict;
  /** The number of the first run shown here, if there are earlier ones. */
  earlierThan: number | null;
  /** Whether these are the newest runs. */
  isNewest: boolean;
}

/** The story of one moment: no run ends between the job and its runs. `at`: a message or run that the page must show. */
export function readStory(
  database: Database,
  options: {
    findJob: (snapshot: Database) => Promise<Job>;
    before?: number | undefined;
    at?: string | undefined;
    /** Whether the page shows what the tools answered: those texts are long. */
    hasResults: boolean;
    redact: (text: string) => string;
  },
): Promise<Story> {
  const { findJob, before, at, hasResults, redact } = options;
  return inSnapshot(database, async (snapshot) => {
    const job = await findJob(snapshot);
    const story = await readPart(snapshot, { job, before, hasResults, redact });
    if (at === undefined || isIn(story, at)) return story;
    const number = await findRunNumber(snapshot, { jobId: job.job_id, id: at });
    return number === undefined ? story : readPart(snapshot, { job, before: number + 1, hasResults, redact });
  });
}

const isIn = ({ messages, runs }: Story, id: string) =>
  messages.some(({ message_id: messageId }) => messageId === id) || runs.some(({ run_id: runId }) => runId === id);

async function readPart(
  database: Database,
  options: { job: Job; before: number | undefined; hasResults: boolean; redact: (text: string) => string },
): Promise<Story> {
  const { job, before, hasResults, redact } = options;
  const { job_id: jobId } = job;
  const position = before === undefined ? {} : { after: before };
  const page = await listRunsOfJob(database, jobId, { limit: runsPerPage, ...position });
  const [first] = await listFirstMessages(database, [jobId]);
  const runs = page.items.toReversed();
  const last = runs.at(-1);
  const turns =
    last === undefined
      ? []
      : (await listShownTurns(database, { runId: last.run_id, hasResults, redact }, { limit: turnsShown })).items;
  const liveRunId = last?.phase === 'ended' ? undefined : last?.run_id;
  const progress = await listProgress(database, { jobId, liveRunId, runIds: runs.map(({ run_id: runId }) => runId) });
  const verdicts = await listVerdicts(database, [jobId]);
  return {
    job,
    first,
    messages: page.messages,
    runs,
    turns: turns.toReversed(),
    progress,
    effects: page.effects,
    verdict: verdicts.get(jobId) ?? noVerdict,
    earlierThan: page.next === null ? null : (runs[0]?.number ?? null),
    isNewest: before === undefined,
  };
}

const answerShape = z.object({
  request: z.object({ kind: z.enum(['comment', 'reply']) }),
  response: z.object({ url: z.url({ protocol: /^https?$/ }) }),
});

/** The addresses of a run's comments on GitHub. */
export const listAnswers = ({ effects }: Story, runId: string): { kind: 'comment' | 'reply'; url: string }[] =>
  effects.flatMap((effect) => {
    if (effect.run_id !== runId || effect.state !== 'done') return [];
    const { data } = answerShape.safeParse(effect);
    return data ? [{ kind: data.request.kind, url: data.response.url }] : [];
  });

/** The job of the address. Throws the page 404 if it does not exist. */
export async function readVisitedJob(database: Database, { project, request }: ProjectVisit): Promise<Job> {
  const { jobId } = request.params;
  const job = isId('job', jobId) ? await findJob(database, { projectId: project.project_id, jobId }) : undefined;
  if (!job) throw pageNotFound();
  return job;
}

interface FoundProblem {
  file: string;
  line: number;
  message: string;
  severity?: 'must' | 'should';
  sentBack?: boolean;
  /** The agent says why it left the problem. */
  explanation: string | null;
}

export interface FoundProblems {
  /** Whether the run pushed a change that was checked. */
  isPublished: boolean;
  problems: readonly FoundProblem[];
  /** Problems that are not listed. */
  more: number;
  /** What the checks could not look at, in whole sentences. */
  notChecked: readonly string[];
}

/** What the checks found in a run: from its events, or from the publication once they were removed. Only the publication has explanations. */
export function listProblems(run: StoryRun, { progress }: Story): FoundProblems {
  const problems = progress.problems.filter(({ runId }) => runId === run.run_id);
  const { checks } = readShownPublication(run) ?? {};
  const left = { isPublished: checks !== undefined, ...(checks ?? { problems: [], more: 0, notChecked: [] }) };
  if (problems.length === 0) return left;
  const isSame = (a: { file: string; message: string }, b: typeof a) => a.file === b.file && a.message === b.message;
  const explain = (problem: (typeof problems)[number]) => ({
    ...problem,
    explanation: left.problems.find((other) => isSame(other, problem))?.explanation ?? null,
  });
  return { ...left, problems: problems.map(explain), more: 0 };
}

/** How many problems are left in what the job pushed last. While a run works, the agent may still fix them. */
export function countLeft(story: Story): number {
  const pushed = story.runs.findLast(({ commit_sha: sha }) => sha !== null);
  if (!pushed || story.runs.at(-1)?.phase !== 'ended') return 0;
  const { problems, more } = listProblems(pushed, story);
  return problems.filter(({ sentBack }) => sentBack !== true).length + more;
}

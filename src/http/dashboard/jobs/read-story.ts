import { z } from 'zod';
import { listTurns, type ShownTurn } from '../../../lists/list-turns.ts';
import { listRunsOfJob, type RunsPage } from '../../../store/lists/list-runs.ts';
import type { Database } from '../../../store/postgres/database.ts';
import type { Job } from '../../../store/tables/jobs/jobs.ts';
import { listFirstMessages, type Message } from '../../../store/tables/jobs/messages.ts';

const runsPerPage = 10;
const turnsShown = 15;

export type StoryRun = RunsPage['items'][number];

/** What a job's page shows: the newest runs, oldest of them first, and the turns of the last one. */
export interface Story {
  job: Job;
  first: Message | undefined;
  messages: Message[];
  runs: StoryRun[];
  turns: ShownTurn[];
  /** The number of the first run shown here, if there are earlier ones. */
  earlierThan: number | null;
  /** Whether these are the newest runs. */
  isNewest: boolean;
}

export async function readStory(
  database: Database,
  { job, before, redact }: { job: Job; before: number | undefined; redact: (text: string) => string },
): Promise<Story> {
  const { job_id: jobId } = job;
  const position = before === undefined ? {} : { after: before };
  const page = await listRunsOfJob(database, jobId, { limit: runsPerPage, ...position });
  const [first] = await listFirstMessages(database, [jobId]);
  const runs = page.items.toReversed();
  const last = runs.at(-1);
  const turns =
    last === undefined ? [] : (await listTurns(database, { runId: last.run_id, redact }, { limit: turnsShown })).items;
  return {
    job,
    first,
    messages: page.messages,
    runs,
    turns: turns.toReversed(),
    earlierThan: page.next === null ? null : (runs[0]?.number ?? null),
    isNewest: before === undefined,
  };
}

const publicationShape = z.object({
  summary: z.string(),
  checks: z
    .object({
      problems: z.array(z.object({ file: z.string(), line: z.number(), message: z.string() })),
      more: z.number(),
    })
    .optional(),
});

/** What a run published; undefined: nothing. */
export const readPublication = (run: StoryRun) => publicationShape.safeParse(run.publication).data;

import { z } from 'zod';
import type { AddedProject } from '../../harness/add-project.ts';
import { createCaller } from '../../harness/caller.ts';
import { openStream } from '../../harness/open-stream.ts';

/** Short enough not to distort a measured job. */
const everyMs = 5;
const runsShape = z.object({ runs: z.array(z.object({ status: z.string(), code: z.string().nullable() })) });

export type ProjectClient = ReturnType<typeof createProjectClient>;

export function createProjectClient({ url, project }: { url: string; project: AddedProject }) {
  const caller = createCaller({ url, project, everyMs });
  const readRuns = async (jobId: string) => runsShape.parse(await caller.runs(jobId)).runs;
  return {
    ...project,
    url,
    jobsUrl: `${url}/v2/agent/${project.projectId}/job`,
    headers: { authorization: `Bearer ${project.key}`, 'content-type': 'application/json' },
    readRuns,
    createJob: async (prompt: string): Promise<string> => (await caller.create(prompt)).id,
    sendMessage: caller.message,
    /** Resolves with the end of the job's n-th run, by its events: a caller that polls would take its share of the machine. */
    async untilDone(jobId: string, runs: number) {
      using stream = await openStream(`${url}/v2/agent/${project.projectId}/job/${jobId}/events`, { key: project.key });
      await stream.until(
        (events) => events.filter(({ type }) => type === 'job.failed' || type === 'job.completed').length >= runs,
      );
      if (stream.events.some(({ type }) => type === 'job.failed'))
        throw new Error(`the job failed: ${JSON.stringify(await readRuns(jobId))}`);
    },
    /** Resolves with the job when it is no longer active; throws when it failed. */
    async untilSettled(jobId: string) {
      const job = await caller.settled(jobId);
      if (job.status === 'completed') return { jobId, branch: job.source.ref };
      throw new Error(`the job ended as ${job.status}: ${JSON.stringify(await readRuns(jobId))}`);
    },
  };
}

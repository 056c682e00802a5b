import { z } from 'zod';
import type { ApiAnswer, CallApi } from './call-api.ts';

const jobShape = z.looseObject({ status: z.string() });
const runsShape = z.object({
  runs: z.array(
    z.object({
      number: z.number(),
      status: z.string(),
      code: z.string().nullable(),
      sentence: z.string().nullable(),
      summary: z.string().nullable(),
      waitsFor: z.string().nullable(),
      warnings: z.array(z.string()),
    }),
  ),
});

/** The job, with its newest run in short as `run`. */
export async function readJobWithRun(callApi: CallApi, jobId: string): Promise<ApiAnswer> {
  const answer = await callApi('getJob', { params: { jobId } });
  if (answer.isRefused) return answer;
  const listed = await callApi('listRuns', { params: { jobId }, query: { limit: 1 } });
  if (listed.isRefused) return listed;
  const [run = null] = runsShape.parse(JSON.parse(listed.text)).runs;
  return { isRefused: false, text: JSON.stringify({ ...jobShape.parse(JSON.parse(answer.text)), run }) };
}

/** Reads the job when it is no longer active, or at `deadline`, in milliseconds as of `Date.now`. */
export async function waitForJob(
  callApi: CallApi,
  jobId: string,
  { deadline, pause }: { deadline: number; pause: () => Promise<void> },
): Promise<ApiAnswer> {
  for (;;) {
    const answer = await callApi('getJob', { params: { jobId } });
    if (answer.isRefused) return answer;
    const isActive = jobShape.parse(JSON.parse(answer.text)).status === 'active';
    if (!isActive || Date.now() >= deadline) return readJobWithRun(callApi, jobId);
    await pause();
  }
}

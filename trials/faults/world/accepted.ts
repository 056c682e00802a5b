import { eventually } from '../../../harness/eventually.ts';
import { type ApiAnswer, callApi, type TrialProject } from './trial-project.ts';
import type { World } from './world.ts';

/** How many messages of the project have each prompt. */
export async function countPrompts(
  { database }: World,
  { projectId }: TrialProject,
  prompts: readonly string[],
): Promise<Map<string, number>> {
  const rows = await database
    .selectFrom('messages')
    .innerJoin('jobs', 'jobs.job_id', 'messages.job_id')
    .select('prompt')
    .where('project_id', '=', projectId)
    .where('prompt', 'in', prompts)
    .execute();
  return new Map(prompts.map((prompt) => [prompt, rows.filter((row) => row.prompt === prompt).length]));
}

/** No worker was there for the project's jobs, and the next trial starts one. */
export async function cancelAll(world: World, project: TrialProject): Promise<void> {
  const jobs = await world.database
    .selectFrom('jobs')
    .select('job_id')
    .where('project_id', '=', project.projectId)
    .execute();
  for (const { job_id: jobId } of jobs)
    await sendPatiently(() => callApi(world.webUrl(), project, `/${jobId}/cancel`, {}));
}

/** A busy machine's database may not answer in time. */
export const sendPatiently = (send: () => Promise<ApiAnswer>) =>
  eventually(
    async () => {
      const answer = await send();
      return answer.status === 503 || answer.status === 0 ? undefined : answer;
    },
    { what: 'an answer', everyMs: 200 },
  );

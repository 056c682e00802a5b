import { createId } from '../create-id.ts';
import { readStoredSettings } from '../repository/settings.ts';
import type { StoreTx } from '../store/store.ts';
import { hasMessageAskedOn, type Job } from '../store/tables/jobs/jobs.ts';
import { openJob } from '../store/tables/jobs/open-job.ts';
import { findProject } from '../store/tables/repositories/projects.ts';
import { describeAccepted, describeCreated } from './job-events.ts';

/** Who asks for it: no automation can have this name. */
const author = 'also_to';

/**
 * Starts a job for each other branch that the settings want a merged change on, once for each pull request and branch. Call it in the transaction
 * that archives the job, with the job locked.
 */
export async function carryOver({ tx, queue }: StoreTx, job: Job): Promise<void> {
  const { project_id: projectId, pull_request_number: number, pull_request_url: url, base, model } = job;
  const project = await findProject(tx, projectId);
  if (!project || project.removed_at !== null || number === null || url === null) return;
  const { also_to: branches, draft } = readStoredSettings(project.settings);
  // What was carried over goes no further.
  if (branches.includes(base)) return;
  const title = job.pull_request_title ?? '';
  const conversation = { kind: 'pull_request', isMerged: true, number, title, author: '', text: '' } as const;
  for (const branch of new Set(branches)) {
    const sourceKey = `also_to:${number}:${branch}`;
    if (await hasMessageAskedOn(tx, { projectId, number, sourceKey })) continue;
    const values = { job_id: createId('job'), project_id: projectId, base: branch, model, draft, automation: null };
    const prompt = `Make the change of ${url} on the branch ${branch}, too. It was merged into ${base}. Change the same statements in the same way, and nothing else. Where the branch differs so that a part does not fit, leave that part, and name it in your summary.`;
    const message = { messageId: createId('msg'), source: 'automation', author, prompt, sourceKey } as const;
    const events = [describeCreated(values), describeAccepted(message)];
    await openJob(tx, {
      job: { ...values, asked_on: number },
      message: { ...message, context: { conversation } },
      events,
    });
    await queue.sendWakeUp(tx);
  }
}

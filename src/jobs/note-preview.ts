import { createHash } from 'node:crypto';
import { z } from 'zod';
import { intendAnswer } from '../effects/intend-answer.ts';
import { readStoredSettings } from '../repository/settings.ts';
import type { StoreTx } from '../store/store.ts';
import { listEffects } from '../store/tables/jobs/effects.ts';
import type { Job } from '../store/tables/jobs/jobs.ts';
import { findPreview, storePreview } from '../store/tables/jobs/previews.ts';
import { findRunOfPush } from '../store/tables/jobs/runs.ts';
import { findProject } from '../store/tables/repositories/projects.ts';
import { parsePreviewUrl, writePreview } from './write-preview.ts';

const publishedPages = z.object({
  pages: z.array(z.object({ path: z.string(), address: z.string(), base: z.string() })).optional(),
});

/**
 * Promises the section "Preview" of the description of the job's pull request, for a commit that the job pushed last. Returns false where it is
 * there, or not wanted. The job must be locked.
 */
export async function notePreview(
  store: StoreTx,
  job: Job,
  { url: text, sha }: { url: string | null; sha: string },
): Promise<boolean> {
  const { tx } = store;
  const { job_id: jobId, pull_request_number: pullRequest } = job;
  const url = parsePreviewUrl(text);
  if (url === undefined || pullRequest === null) return false;
  const earlier = await findPreview(tx, jobId);
  if (earlier?.url === url && earlier.sha === sha) return false;
  // Of several deployments of a commit, the one of the documentation is kept.
  if (earlier?.sha === sha && isOfDocs(earlier.url) && !isOfDocs(url)) return false;
  await storePreview(tx, { job_id: jobId, url, sha });
  const run = await findRunOfPush(tx, { jobId, sha });
  const { pages = [] } = publishedPages.safeParse(run?.publication ?? {}).data ?? {};
  const digest = createHash('sha256').update(url).digest('hex').slice(0, 12);
  // Where it was written before and is gone, a person removed it.
  const isFirst = !(await listEffects(tx, jobId)).some(
    ({ key, state }) => key.startsWith('preview:') && state === 'done',
  );
  const answer = { kind: 'preview', pullRequest, section: writePreview(url, pages), isFirst } as const;
  return intendAnswer(store, { jobId, key: `preview:${sha}:${digest}`, answer });
}

const isOfDocs = (url: string): boolean => /doc|site|book|manual/i.test(new URL(url).host);

/** Where the settings say where each pull request can be seen. */
export async function notePreviewOfSettings(store: StoreTx, job: Job, sha: string | undefined): Promise<void> {
  if (sha === undefined || job.pull_request_number === null) return;
  const project = await findProject(store.tx, job.project_id);
  const { preview } = readStoredSettings(project?.settings);
  if (preview === null || preview === 'off') return;
  await notePreview(store, job, { url: preview.replaceAll('{number}', String(job.pull_request_number)), sha });
}

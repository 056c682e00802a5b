import { z } from 'zod';
import { intendAnswer, previewEnd, previewKey, previewStart } from '../effects/answer.ts';
import { readStoredSettings } from '../repository/settings.ts';
import type { StoreTx } from '../store/store.ts';
import { listEffects } from '../store/tables/jobs/effects.ts';
import type { Job } from '../store/tables/jobs/jobs.ts';
import { findRunOfPush } from '../store/tables/jobs/runs.ts';
import { findPreview, storePreview } from '../store/tables/jobs/verdicts.ts';
import { findProject } from '../store/tables/repositories/projects.ts';
import { bound } from '../text/bound.ts';
import { writeCode } from '../text/neutralize/write-code.ts';

/** A page of the change, as the publication of its run has it. */
const pageSchema = z.object({ path: z.string(), address: z.string(), base: z.string() });
type PreviewedPage = z.infer<typeof pageSchema>;

const publishedPages = z.object({ pages: z.array(pageSchema).optional() });

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
  // A commit may have several deployments: the one of the documentation is kept.
  if (earlier?.sha === sha && isOfDocs(earlier.url) && !isOfDocs(url)) return false;
  await storePreview(tx, { job_id: jobId, url, sha });
  const run = await findRunOfPush(tx, { jobId, sha });
  const { pages = [] } = publishedPages.safeParse(run?.publication ?? {}).data ?? {};
  const promised = (await listEffects(tx, jobId)).filter(({ key }) => key.startsWith(previewKey));
  // Where it was written before and is gone, a person removed it.
  const isFirst = !promised.some(({ state, external_id: id }) => state === 'done' && id !== '');
  const answer = { kind: 'preview', pullRequest, section: writePreview(url, pages), isFirst } as const;
  // An address may come back after another one.
  return intendAnswer(store, { jobId, key: `${previewKey}${sha}:${promised.length}`, answer });
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

const maxPages = 10;
const maxUrlLength = 300;

/** The address of a deployed site; undefined: it is not one that may be linked to. */
export function parsePreviewUrl(text: string | null | undefined): string | undefined {
  if (!text || text.length > maxUrlLength) return undefined;
  const url = URL.parse(text);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return undefined;
  url.hash = '';
  return url.href;
}

/** The section of the description: a link to each changed page, at most ten. `url` is one of `parsePreviewUrl`. Pure. */
export function writePreview(url: string, pages: readonly PreviewedPage[]): string {
  const shown = pages.slice(0, maxPages);
  const more = pages.length - shown.length;
  const lines =
    shown.length === 0
      ? [`[The site](${escapeUrl(url)})`]
      : shown.map((page) => `- [${writeCode(bound(page.path, 200))}](${escapeUrl(toPageUrl(url, page))})`);
  return [
    previewStart,
    '## Preview',
    [...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n'),
    previewEnd,
  ].join('\n\n');
}

/** A deployment at the root of its host has the base path of the site; one below a path has it there already. */
function toPageUrl(site: string, { address, base }: PreviewedPage): string {
  const url = new URL(site);
  const folder = url.pathname.replace(/\/$/, '');
  const prefix = base === '' || folder !== '' ? '' : base;
  url.pathname = `${folder}${prefix}${address}`;
  return url.href;
}

/** Nothing in it ends the link or is Markdown. */
const escapeUrl = (url: string): string =>
  url.replace(/[()[\]<>"'`*_~\\|!]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

import type { Job } from '../store/jobs.ts';
import { listMessages } from '../store/messages.ts';
import { listRuns, type Run } from '../store/runs.ts';
import { bound } from '../text/bound.ts';
import { readFileAt } from '../workspace/read-file-at.ts';
import type { Site } from './open-site.ts';
import type { RunContext } from './prompt.ts';
import { type Change, publicationSchema } from './publication.ts';
import type { RunParts } from './run-parts.ts';

/** The first of these that is there speaks for the repository. */
const instructionPaths = ['.pagewright/AGENTS.md', 'AGENTS.md'];
/** https://docs.github.com/en/communities/using-templates-to-encourage-useful-issues-and-pull-requests/creating-a-pull-request-template-for-your-repository */
const templatePaths = ['.github/', '', 'docs/'].flatMap((folder) => [
  `${folder}pull_request_template.md`,
  `${folder}PULL_REQUEST_TEMPLATE.md`,
]);
const maxLength = 20_000;

/** Reads what the model is told first. Instructions and template come from the base branch: the job's own branch is the agent's. */
export async function readContext(
  parts: RunParts,
  { job, run, site, signal }: { job: Job; run: Run; site: Site; signal: AbortSignal },
): Promise<RunContext> {
  const { database } = parts;
  const instructions = await readFirst(parts, { paths: instructionPaths, site, signal });
  const messages = await listMessages(database, job.job_id);
  const runs = await listRuns(database, job.job_id);
  const earlier = runs.filter(({ number }) => number < run.number);
  const publications = earlier.map(({ publication }) => publicationSchema.nullable().parse(publication));
  return {
    repository: site.repository.fullName,
    base: job.base,
    instructions,
    pullRequestTemplate: await readTemplate(parts, { site, signal }),
    earlierRuns: earlier.map(({ run_id, number, sentence }, index) => ({
      number,
      asked: messages.filter((message) => message.run_id === run_id).map(({ prompt }) => bound(prompt, 2_000)),
      summary: bound(publications[index]?.summary || sentence || '', 2_000),
    })),
    pullRequest: findLastChange(runs),
  };
}

/** The repository's pull request template, if it has one. */
export async function readTemplate(
  parts: RunParts,
  { site, signal }: { site: Site; signal: AbortSignal },
): Promise<string | undefined> {
  return (await readFirst(parts, { paths: templatePaths, site, signal }))?.text;
}

/** The newest change that any of these runs, oldest first, has published. */
export function findLastChange(runs: Run[]): Change | undefined {
  return runs.map(readPublishedChange).findLast((change) => change !== undefined);
}

/** Of a run that ended with a commit: what was frozen but never pushed is not in the pull request. */
function readPublishedChange({ publication, commit_sha }: Run): Change | undefined {
  if (commit_sha === null || publication === null) return undefined;
  return publicationSchema.parse(publication).change ?? undefined;
}

async function readFirst(
  { git }: RunParts,
  { paths, site, signal }: { paths: string[]; site: Site; signal: AbortSignal },
): Promise<{ path: string; text: string } | undefined> {
  for (const path of paths) {
    const text = await readFileAt({ git, mirror: site.mirror, sha: site.mirror.baseSha, path, signal });
    if (text !== undefined) return { path, text: bound(text, maxLength) };
  }
  return undefined;
}

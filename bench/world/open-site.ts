import { z } from 'zod';
import { eventually } from '../../harness/eventually.ts';
import type { LocalGitHub } from '../../local/github/start-github.ts';
import { createKey } from '../../src/keys/keys.ts';
import type { Database } from '../../src/store/postgres/database.ts';

const jobShape = z.object({ id: z.string(), status: z.string(), source: z.object({ ref: z.string() }) });
const runsShape = z.object({ runs: z.array(z.object({ status: z.string(), code: z.string().nullable() })) });

/** Fine enough not to distort a measured job. */
const measuredEveryMs = 5;

/** A repository with the App installed, and what a caller does in its project. */
export type BenchSite = Awaited<ReturnType<typeof openSite>>;

/** Adds `<owner>/docs` to GitHub, with an installation of its own, and makes it a project. `url` is where the service answers. */
export async function openSite({
  github,
  database,
  url,
  owner,
  files,
}: {
  github: LocalGitHub;
  database: Database;
  url: string;
  owner: string;
  files: Record<string, string>;
}) {
  const repository = await github.addRepository({ owner, name: 'docs', files });
  const installationId = github.install({ account: owner, repositories: 'all' });
  github.setPermission(repository.fullName, 'rita', 'write');
  const { id: repositoryId, name: repo, defaultBranch } = repository;
  const created = await createKey({
    database,
    owner,
    repo,
    name: 'bench',
    expiresAt: null,
    findInstalledRepository: async () => ({
      installation: { installationId, account: owner, suspendedAt: null },
      repository: { repositoryId, installationId, owner, repo, defaultBranch },
    }),
  });
  if (!created) throw new Error(`could not make a project of ${repository.fullName}`);
  const { projectId } = created;
  const jobsUrl = `${url}/v2/agent/${projectId}/job`;
  const headers = { authorization: `Bearer ${created.key}`, 'content-type': 'application/json' };

  async function call(path: string, body?: object): Promise<unknown> {
    const sent = body && { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`${jobsUrl}${path}`, { headers, ...sent });
    if (!response.ok) throw new Error(`could not call ${jobsUrl}${path}: ${response.status}`);
    return response.json();
  }
  const readRuns = async (jobId: string) => runsShape.parse(await call(`/${jobId}/runs`)).runs;

  return {
    repository,
    installationId,
    projectId,
    jobsUrl,
    headers,
    readRuns,
    async createJob(prompt: string): Promise<string> {
      return jobShape.parse(await call('', { prompt })).id;
    },
    sendMessage: (jobId: string, prompt: string) => call(`/${jobId}/message`, { prompt }),
    /** Resolves with the job as soon as it is not active any more; throws when it failed. */
    async untilSettled(jobId: string) {
      const job = await eventually(
        async () => {
          const found = jobShape.parse(await call(`/${jobId}`));
          return found.status === 'active' ? undefined : found;
        },
        { everyMs: measuredEveryMs },
      );
      if (job.status === 'completed') return { jobId, branch: job.source.ref };
      throw new Error(`the job ended as ${job.status}: ${JSON.stringify(await readRuns(jobId))}`);
    },
  };
}

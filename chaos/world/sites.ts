import { z } from 'zod';
import type { LocalGitHub } from '../../local/github/start-github.ts';
import { createKey } from '../../src/keys/keys.ts';
import type { Database } from '../../src/store/postgres/database.ts';

const jobShape = z.object({ id: z.string() });

/** One repository of an account of its own, with its project. GitHub's limits are per installation, so trials share none. */
export interface Site {
  /** `team-7/docs`. */
  fullName: string;
  installationId: number;
  gitDirectory: string;
  projectId: string;
  key: string;
}

export type SiteKind = 'plain' | 'signed';

const files = {
  'index.md': '# Docs\n\nWelcome.\n',
  'guide/start.md': '# Start\n\nInstall it, then start it.\n',
};

/** Adds an account with a repository, installs the App there and makes a project with a key. */
export async function addSite({
  github,
  database,
  account,
  kind,
}: {
  github: LocalGitHub;
  database: Database;
  account: string;
  kind: SiteKind;
}): Promise<Site> {
  const repository = await github.addRepository({ owner: account, name: 'docs', files });
  const { fullName, gitDirectory } = repository;
  const installationId = github.install({ account, repositories: 'all' });
  github.setPermission(fullName, 'rita', 'write');
  if (kind === 'signed') github.setRules(fullName, '~ALL', [{ type: 'required_signatures' }]);
  const place = { installationId, owner: account, repo: 'docs', defaultBranch: 'main' };
  const created = await createKey({
    database,
    owner: account,
    repo: 'docs',
    name: 'chaos',
    expiresAt: null,
    findInstalledRepository: async () => ({
      installation: { installationId, account, suspendedAt: null },
      repository: { repositoryId: repository.id, ...place },
    }),
  });
  if (!created) throw new Error(`could not make a project for ${fullName}`);
  return { fullName, installationId, gitDirectory, projectId: created.projectId, key: created.key };
}

/** What the API answers. A connection that breaks is status 0. */
export interface ApiAnswer {
  status: number;
  retryAfter: string | null;
  jobId: string | undefined;
  tookMs: number;
}

/** One request to the API in the name of a site's project. Never throws. */
export async function callApi(
  url: string,
  { projectId, key }: Pick<Site, 'projectId' | 'key'>,
  path: string,
  body?: object,
): Promise<ApiAnswer> {
  const began = performance.now();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  try {
    const response = await fetch(`${url}/v2/agent/${projectId}/job${path}`, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    const { data } = jobShape.safeParse(await response.json());
    const retryAfter = response.headers.get('retry-after');
    return { status: response.status, retryAfter, jobId: data?.id, tookMs: performance.now() - began };
  } catch {
    return { status: 0, retryAfter: null, jobId: undefined, tookMs: performance.now() - began };
  }
}

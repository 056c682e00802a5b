import { z } from 'zod';
import { type AddedProject, addProject } from '../../../harness/add-project.ts';
import type { LocalGitHub } from '../../../local/github/start-github.ts';
import type { Database } from '../../../src/store/postgres/database.ts';

const jobShape = z.object({ id: z.string() });

/** A repository of a separate account, with its project: GitHub's limits are per installation, so trials share none. */
export interface TrialProject extends Omit<AddedProject, 'repository'> {
  /** For example `team-7/docs`. */
  fullName: string;
  gitDirectory: string;
}

/** Whether the repository requires signed commits. */
export type ProjectKind = 'plain' | 'signed';

const files = {
  'index.md': '# Docs\n\nWelcome.\n',
  'guide/start.md': '# Start\n\nInstall it, then start it.\n',
};

export async function addTrialProject({
  github,
  database,
  account,
  kind,
}: {
  github: LocalGitHub;
  database: Database;
  account: string;
  kind: ProjectKind;
}): Promise<TrialProject> {
  const { repository, ...project } = await addProject({ github, database, owner: account, files });
  const { fullName, gitDirectory } = repository;
  if (kind === 'signed') github.setRules(fullName, '~ALL', [{ type: 'required_signatures' }]);
  return { ...project, fullName, gitDirectory };
}

/** A broken connection has status 0. */
export interface ApiAnswer {
  status: number;
  retryAfter: string | null;
  jobId: string | undefined;
  tookMs: number;
}

/** Sends one request with the project's key. Never throws. */
export async function callApi(
  url: string,
  { projectId, key }: Pick<TrialProject, 'projectId' | 'key'>,
  path: string,
  body?: object,
  { key: idempotencyKey }: { key?: string } = {},
): Promise<ApiAnswer> {
  const startedAt = performance.now();
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey.replaceAll(' ', '-') }),
  };
  try {
    const response = await fetch(`${url}/v2/agent/${projectId}/job${path}`, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    const { data } = jobShape.safeParse(await response.json());
    const retryAfter = response.headers.get('retry-after');
    return { status: response.status, retryAfter, jobId: data?.id, tookMs: performance.now() - startedAt };
  } catch {
    return { status: 0, retryAfter: null, jobId: undefined, tookMs: performance.now() - startedAt };
  }
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inject } from 'vitest';
import { z } from 'zod';
import { eventually } from '../../harness/eventually.ts';
import { type LocalGitHub, startGitHub } from '../../local/github/start-github.ts';
import type { Script } from '../../local/model/script.ts';
import { type ModelServer, startModelServer } from '../../local/model/start-model-server.ts';
import { createKey } from '../../src/keys/create-key.ts';
import type { Connection } from '../../src/store/postgres/database.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

const privateKey = inject('privateKey');

const jobSchema = z.object({
  id: z.string(),
  status: z.string(),
  source: z.object({ repository: z.string(), ref: z.string() }),
  prLink: z.string().nullable(),
});
export type WireJob = z.infer<typeof jobSchema>;

/** Everything outside of the service: a GitHub with one repository, a model server, a database. Start services into it with `environment`. */
export interface World extends AsyncDisposable {
  github: LocalGitHub;
  model: ModelServer;
  database: TestDatabase;
  repository: { id: number; fullName: string; gitDirectory: string };
  installationId: number;
  projectId: string;
  key: string;
  /** What a service of this world is configured with; every secret in it is unlike any other text. */
  environment: Record<string, string>;
  directory: string;
}

const webhookSecret = 'webhook-secret-of-the-test-world';
const apiKey = 'sk-model-key-of-the-test-world';

export async function createWorld({
  script,
  files = { 'index.md': '# Acme\n\nWelcome.\n', 'limits.md': '# Limits\n\n60 requests per minute.\n' },
}: {
  script: Script;
  files?: Record<string, string>;
}): Promise<World> {
  await using cleanup = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'pagewright-world-'));
  cleanup.defer(() => rm(directory, { recursive: true, force: true }));
  const database = cleanup.use(await createTestDatabase());
  const app = { id: 4242, slug: 'pagewright-test', privateKey, webhookSecret };
  const github = cleanup.use(await startGitHub({ directory: join(directory, 'github'), app }));
  const model = cleanup.use(await startModelServer({ script, apiKey }));
  const repository = await github.addRepository({ owner: 'acme', name: 'docs', files });
  const installationId = github.install({ account: 'acme', repositories: 'all' });
  github.addUser('rita');
  github.setPermission('acme/docs', 'rita', 'write');
  const created = await createKey({
    database: database.database,
    owner: 'acme',
    repo: 'docs',
    name: 'ci',
    expiresAt: null,
    findInstalledRepository: async () => ({
      installation: { installationId, account: 'acme', suspendedAt: null },
      repository: { repositoryId: repository.id, installationId, owner: 'acme', repo: 'docs', defaultBranch: 'main' },
    }),
  });
  if (!created) throw new Error('could not create a key');
  const environment = {
    PORT: '0',
    DATA_DIR: join(directory, 'data'),
    DATABASE_URL: toUrl(database.connection),
    APP_ID: String(app.id),
    PRIVATE_KEY: privateKey,
    WEBHOOK_SECRET: webhookSecret,
    GITHUB_API_URL: github.apiUrl,
    GITHUB_URL: github.webUrl,
    OPENAI_API_KEY: apiKey,
    OPENAI_BASE_URL: model.url,
    OPENAI_MODEL: 'gpt-test',
    LOG_LEVEL: 'info',
  };
  const held = cleanup.move();
  return {
    github,
    model,
    database,
    repository,
    installationId,
    projectId: created.projectId,
    key: created.key,
    environment,
    directory,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

export function toUrl(connection: Connection): string {
  if ('connectionString' in connection) return connection.connectionString;
  const { host, port, user, database } = connection;
  return `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

/** The caller's side of one project at one service. */
export function createCaller({ url, world }: { url: string; world: Pick<World, 'projectId' | 'key'> }) {
  const base = `${url}/v2/agent/${world.projectId}/job`;
  /** As a caller should, it comes again when it is told to: on a machine that does much else the database may not answer in time. */
  async function call(method: string, path: string, body?: object, patience = 10): Promise<unknown> {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (response.status === 503 && patience > 0) {
      await delay(500);
      return call(method, path, body, patience - 1);
    }
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }
  const job = async (answer: Promise<unknown>) => jobSchema.parse(await answer);
  const caller = {
    call,
    create: (prompt: string, more: object = {}) => job(call('POST', '', { prompt, ...more })),
    message: (jobId: string, prompt: string) => job(call('POST', `/${jobId}/message`, { prompt })),
    cancel: (jobId: string) => job(call('POST', `/${jobId}/cancel`)),
    archive: (jobId: string) => job(call('POST', `/${jobId}/archive`)),
    get: (jobId: string) => job(call('GET', `/${jobId}`)),
    runs: (jobId: string) => call('GET', `/${jobId}/runs`),
    /** Resolves when the job is no longer active. */
    settled: (jobId: string) => caller.until(jobId, ({ status }) => status !== 'active'),
    until: (jobId: string, isThere: (found: WireJob) => boolean) =>
      eventually(async () => {
        const found = await caller.get(jobId);
        return isThere(found) ? found : undefined;
      }),
  };
  return caller;
}

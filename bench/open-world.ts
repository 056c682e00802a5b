import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { startService } from '../local/demo/start-service.ts';
import { startGitHub } from '../local/github/start-github.ts';
import type { Script } from '../local/model/script.ts';
import { startModelServer } from '../local/model/start-model-server.ts';
import { startEmbeddedPostgres } from '../src/store/embedded-postgres.ts';

const jobShape = z.object({ id: z.string(), status: z.string(), source: z.object({ ref: z.string() }) });
const runsShape = z.object({ runs: z.array(z.object({ status: z.string(), code: z.string().nullable() })) });
const keyShape = z.object({ projectId: z.string(), key: z.string() });

/** How often a job is asked for: what is measured by that is at most so much too long. */
const lookEveryMs = 5;

export type BenchWorld = Awaited<ReturnType<typeof openWorld>>;

/** The service as a process of its own, with a real database, and in this process a GitHub with one repository and a scripted model. */
export async function openWorld({ script, files }: { script: Script; files: Record<string, string> }) {
  await using cleanup = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'pagewright-bench-'));
  cleanup.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
  const { connection } = cleanup.use(await startEmbeddedPostgres({ dataDir: join(directory, 'database') }));
  const { host, port, user, database } = connection;
  const databaseUrl = `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const webhookSecret = 'webhook-secret-of-the-bench-world';
  const app = { id: 4242, slug: 'pagewright', privateKey, webhookSecret };
  const github = cleanup.use(await startGitHub({ directory: join(directory, 'github'), app }));
  const model = cleanup.use(await startModelServer({ script }));
  const repository = await github.addRepository({ owner: 'acme', name: 'docs', files });
  const installationId = github.install({ account: 'acme', repositories: 'all' });
  github.addUser('rita');
  github.setPermission(repository.fullName, 'rita', 'write');
  const service = cleanup.use(
    await startService({
      logFile: join(directory, 'service.log'),
      environment: {
        DATA_DIR: join(directory, 'data'),
        DATABASE_URL: databaseUrl,
        APP_ID: String(app.id),
        PRIVATE_KEY: privateKey,
        WEBHOOK_SECRET: webhookSecret,
        GITHUB_API_URL: github.apiUrl,
        GITHUB_URL: github.webUrl,
        OPENAI_MODEL: 'bench',
        OPENAI_BASE_URL: model.url,
        JOB_RATE_LIMIT_PER_HOUR: '0',
      },
      signal: new AbortController().signal,
    }),
  );
  const webhook = { url: `${service.url}/api/github/webhooks`, secret: webhookSecret };
  github.setWebhook(webhook.url, webhook.secret);
  const made = await service.keys('create', repository.fullName, '--name', 'bench', '--json');
  const { projectId, key } = keyShape.parse(JSON.parse(made));
  const jobsUrl = `${service.url}/v2/agent/${projectId}/job`;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };

  async function call(path: string, body?: object): Promise<unknown> {
    const sent = body && { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`${jobsUrl}${path}`, { headers, ...sent });
    if (!response.ok) throw new Error(`could not call ${jobsUrl}${path}: ${response.status}`);
    return response.json();
  }
  const readRuns = async (jobId: string) => runsShape.parse(await call(`/${jobId}/runs`)).runs;

  const held = cleanup.move();
  return {
    github,
    repository,
    installationId,
    app,
    webhook,
    databaseUrl,
    jobsUrl,
    headers,
    rita: github.asPerson('rita'),
    readRuns,
    async createJob(prompt: string): Promise<string> {
      return jobShape.parse(await call('', { prompt })).id;
    },
    sendMessage: (jobId: string, prompt: string) => call(`/${jobId}/message`, { prompt }),
    /** Resolves with the job as soon as it is not active any more; throws when it failed. */
    async untilSettled(jobId: string) {
      const job = await eventually(async () => {
        const found = jobShape.parse(await call(`/${jobId}`));
        return found.status === 'active' ? undefined : found;
      });
      if (job.status === 'completed') return { jobId, branch: job.source.ref };
      throw new Error(`the job ended as ${job.status}: ${JSON.stringify(await readRuns(jobId))}`);
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** Looks until there is something; throws after a minute. */
export async function eventually<Found>(look: () => Promise<Found | undefined> | Found | undefined): Promise<Found> {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; await delay(lookEveryMs)) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error('it did not come about in a minute');
}

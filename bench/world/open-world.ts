import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../../local/demo/start-service.ts';
import { startGitHub } from '../../local/github/start-github.ts';
import type { Script } from '../../local/model/script.ts';
import { startModelServer } from '../../local/model/start-model-server.ts';
import { createLog } from '../../src/log.ts';
import { startEmbeddedPostgres } from '../../src/store/embedded/embedded-postgres.ts';
import { createDatabase } from '../../src/store/postgres/database.ts';
import { openSite } from './open-site.ts';

export type BenchWorld = Awaited<ReturnType<typeof openWorld>>;

/**
 * The service as a process of its own, with a real database, and in this process a GitHub with one repository and a scripted model.
 * `environment` is told to the service on top of what it needs.
 */
export async function openWorld({
  script,
  files,
  environment = {},
}: {
  script: Script;
  files: Record<string, string>;
  environment?: Record<string, string>;
}) {
  await using cleanup = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'pagewright-bench-'));
  cleanup.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
  const { connection } = cleanup.use(await startEmbeddedPostgres({ dataDir: join(directory, 'database') }));
  const { host, port, user, database: name } = connection;
  const databaseUrl = `postgresql://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`;
  const log = createLog({ level: 'silent', redact: (line) => line });
  const database = createDatabase({ connection, log, max: 2 });
  cleanup.defer(() => database.destroy());
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const webhookSecret = 'webhook-secret-of-the-bench-world';
  const app = { id: 4242, slug: 'pagewright', privateKey, webhookSecret };
  const github = cleanup.use(await startGitHub({ directory: join(directory, 'github'), app }));
  const model = cleanup.use(await startModelServer({ script }));
  github.addUser('rita');
  const dataDir = join(directory, 'data');
  const told = {
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    APP_ID: String(app.id),
    PRIVATE_KEY: privateKey,
    WEBHOOK_SECRET: webhookSecret,
    GITHUB_API_URL: github.apiUrl,
    GITHUB_URL: github.webUrl,
    OPENAI_MODEL: 'bench',
    OPENAI_BASE_URL: model.url,
    JOB_RATE_LIMIT_PER_HOUR: '0',
  };
  /** One more process of the service beside it, on the same database and disk. Whoever starts it disposes of it. */
  const startAnother = (others: Record<string, string>) =>
    startService({
      logFile: join(directory, 'service.log'),
      environment: { ...told, ...others },
      signal: new AbortController().signal,
    });
  const service = cleanup.use(await startAnother(environment));
  const webhook = { url: `${service.url}/api/github/webhooks`, secret: webhookSecret };
  github.setWebhook(webhook.url, webhook.secret);
  const addSite = (owner: string) => openSite({ github, database, url: service.url, owner, files });
  const site = await addSite('acme');

  const held = cleanup.move();
  return {
    ...site,
    github,
    model,
    app,
    webhook,
    connection,
    databaseUrl,
    database,
    dataDir,
    /** Of the service. */
    pid: service.pid,
    startAnother,
    addSite,
    rita: github.asPerson('rita'),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgramsBy } from '../local/github/git/run-program.ts';
import { type GitHubSettings, startGitHub } from '../local/github/start-github.ts';
import type { Script } from '../local/model/script.ts';
import { startModelServer } from '../local/model/start-model-server.ts';
import type { Connection, Database } from '../src/store/postgres/database.ts';
import { addProject } from './add-project.ts';
import { createPrivateKey } from './create-private-key.ts';
import { runProcess } from './processes/start-programs.ts';

startProgramsBy(runProcess);

const webhookSecret = 'webhook-secret-of-the-test-world';
const clientSecret = 'client-secret-of-the-test-world';
const callbackUrls = ['http://127.0.0.1/auth/callback', 'https://pagewright.example.com/auth/callback'];
const apiKey = 'sk-model-key-of-the-test-world';

interface WorldDatabase extends AsyncDisposable {
  connection: Connection;
  database: Database;
}

/**
 * Everything outside the service: GitHub, a model server and the database that `openDatabase` returns. Services start with
 * `environment`, whose secrets are unlike any other text. Disposing removes its directory.
 */
export async function openWorld<Opened extends WorldDatabase>({
  script,
  openDatabase,
  privateKey = createPrivateKey(),
  contextTokens,
  ...settings
}: {
  script: Script;
  openDatabase: (directory: string) => Promise<Opened>;
  privateKey?: string;
  /** The model's window. Default: any input fits. */
  contextTokens?: number;
} & Pick<GitHubSettings, 'clock' | 'hourlyLimit' | 'onExchange'>) {
  await using cleanup = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'pagewright-world-'));
  let isKept = false;
  cleanup.defer(async () => {
    if (!isKept) await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });
  const database = cleanup.use(await openDatabase(directory));
  const app = {
    id: 4242,
    slug: 'pagewright-test',
    privateKey,
    webhookSecret,
    clientId: 'Iv23-of-the-test-world',
    clientSecret,
    callbackUrls,
  };
  const github = cleanup.use(await startGitHub({ directory: join(directory, 'github'), app, ...settings }));
  const model = cleanup.use(await startModelServer({ script, apiKey, ...(contextTokens && { contextTokens }) }));
  github.addUser('rita');
  const environment: Record<string, string> = {
    PORT: '0',
    DATA_DIR: join(directory, 'data'),
    DATABASE_URL: toUrl(database.connection),
    APP_ID: String(app.id),
    PRIVATE_KEY: privateKey,
    WEBHOOK_SECRET: webhookSecret,
    GITHUB_CLIENT_ID: app.clientId,
    GITHUB_CLIENT_SECRET: clientSecret,
    GITHUB_API_URL: github.apiUrl,
    GITHUB_URL: github.webUrl,
    OPENAI_API_KEY: apiKey,
    OPENAI_BASE_URL: model.url,
    OPENAI_MODEL: 'gpt-test',
    LOG_LEVEL: 'info',
  };
  const disposables = cleanup.move();
  return {
    directory,
    /** Keeps the directory for a person to look at. */
    keep() {
      isKept = true;
    },
    database,
    app,
    github,
    rita: github.asPerson('rita'),
    model,
    environment,
    addProject: (
      owner: string,
      files: Record<string, string>,
      options: { isPublic?: boolean | undefined; kilobytes?: number | undefined } = {},
    ) => addProject({ github, database: database.database, owner, files, ...options }),
    [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  };
}

export function toUrl(connection: Connection): string {
  if ('connectionString' in connection) return connection.connectionString;
  const { host, port, user, database } = connection;
  return `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

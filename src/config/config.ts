import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type RegisteredApp, readAppFile } from './app-file.ts';
import { findForeignApi } from './find-foreign-api.ts';
import { type ConfigReader, findMissing } from './find-missing.ts';
import { readPrivateKey } from './private-key.ts';
import { type Variables, variables } from './variables.ts';

export { type ConfigReader, variables };

/** Thrown with every problem at once, one per line, each naming its variable and what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: string[];

  constructor(problems: string[]) {
    super(`the configuration is wrong:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** Reads `.env` from the working directory, if there is one; what the environment already holds wins. */
export function readEnvironment(): NodeJS.ProcessEnv {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}

/**
 * What an environment configures: a service that can run, or one that lacks nothing but its App, which `/setup` registers. As soon as one
 * of the App's variables is set, the App is the environment's; otherwise it is the one stored in DATA_DIR.
 */
export type Start =
  | { kind: 'ready'; config: Config }
  /** `publicUrl` is null where PUBLIC_URL is not set: where the service listens is then known only when it does. */
  | { kind: 'setup'; settings: Settings; publicUrl: string | null };

/** Turns the environment of a service into what it starts as. Throws `ConfigError`. A blank variable counts as not set. */
export function parseStart(environment: NodeJS.ProcessEnv): Start {
  const { settings, app, publicUrl } = parse(environment, 'service');
  return app ? { kind: 'ready', config: withApp(settings, app) } : { kind: 'setup', settings, publicUrl };
}

/** Turns an environment whose App is known into a `Config`. Throws `ConfigError`. A blank variable counts as not set. */
export function parseConfig(environment: NodeJS.ProcessEnv, reader: ConfigReader = 'service'): Config {
  const { settings, app } = parse(environment, reader);
  if (app) return withApp(settings, app);
  throw new ConfigError([
    'the App is not registered yet: start the service and open /setup, or set APP_ID, PRIVATE_KEY and WEBHOOK_SECRET',
  ]);
}

/** `app` is undefined only where `/setup` may register one. */
function parse(environment: NodeJS.ProcessEnv, reader: ConfigReader) {
  const trimmed = Object.entries(environment).map(([name, value = '']): [string, string] => [name, value.trim()]);
  const given = Object.fromEntries(trimmed.filter(([, value]) => value !== ''));
  const { data, error } = variables.safeParse(given);
  const issues = error?.issues ?? [];
  const malformed = new Set(issues.map(({ path }) => path.join('.')));
  // A malformed variable is reported as such, and counts as not set while the rest is checked.
  const set =
    data ?? variables.parse(Object.fromEntries(Object.entries(given).filter(([name]) => !malformed.has(name))));
  const isAppGiven = appVariables.some((name) => given[name] !== undefined);
  // Processes that share a database need not share a disk.
  const mayBeStored = !isAppGiven && (reader === 'keys' || set.ROLE === 'all');
  const privateKey = readPrivateKey({ inline: set.PRIVATE_KEY, path: set.PRIVATE_KEY_PATH });
  const stored = mayBeStored ? readAppFile(resolve(set.DATA_DIR), set.GITHUB_URL) : undefined;
  const missing = findMissing(set, { reader, needsApp: stored === undefined });
  const areAddressesRead = !malformed.has('GITHUB_API_URL') && !malformed.has('GITHUB_URL');
  const problems = [
    ...issues.map(({ path, message }) => `${path.join('.')}: ${message}`),
    ...(areAddressesRead ? findForeignApi({ apiUrl: set.GITHUB_API_URL, webUrl: set.GITHUB_URL }) : []),
    ...missing.flatMap(({ names, text }) => (names.some((name) => malformed.has(name)) ? [] : [text])),
    ...privateKey.problems,
    ...(stored?.kind === 'broken' ? [stored.problem] : []),
  ];
  if (problems.length > 0) throw new ConfigError(problems);
  const settings = toSettings(set);
  const ofEnvironment = {
    appId: set.APP_ID ?? '',
    privateKey: privateKey.pem,
    webhookSecret: set.WEBHOOK_SECRET ?? '',
  };
  const ofFile = stored?.kind === 'found' ? toCredentials(stored.app) : undefined;
  return { settings, app: stored ? ofFile : ofEnvironment, publicUrl: set.PUBLIC_URL };
}

/** If any of these is set, the App is the environment's; a mixture of two Apps could not work. */
const appVariables = ['APP_ID', 'PRIVATE_KEY', 'PRIVATE_KEY_PATH', 'WEBHOOK_SECRET'] as const;

/** What the service needs to act as its App on GitHub. */
export interface GitHubCredentials {
  appId: string;
  /** PEM. */
  privateKey: string;
  webhookSecret: string;
}

/** The credentials of an App that was registered through `/setup`. */
export const toCredentials = ({ appId, privateKey, webhookSecret }: RegisteredApp) =>
  ({ appId: String(appId), privateKey: privateKey.trim(), webhookSecret }) satisfies GitHubCredentials;

/** Everything that a running service is told. Durations and sizes carry their unit in the name. */
export type Config = ReturnType<typeof withApp>;

/** Everything but the App. */
export type Settings = ReturnType<typeof toSettings>;

/** What a service is told that acts as this App. */
export const withApp = (settings: Settings, app: GitHubCredentials) => ({
  ...settings,
  github: { ...settings.github, ...app },
});

function toSettings(set: Variables) {
  const model = set.OPENAI_MODEL ?? '';
  const others = (set.OPENAI_MODELS ?? '').split(',').map((name) => name.trim());
  /** The first one is the default; callers may name any of them. */
  const models: [string, ...string[]] = [model, ...others.filter((name) => name !== '' && name !== model)];
  return {
    role: set.ROLE,
    port: set.PORT,
    host: set.HOST,
    dataDir: resolve(set.DATA_DIR),
    /** null: the embedded database in `dataDir`. */
    databaseUrl: set.DATABASE_URL,
    github: { apiUrl: set.GITHUB_API_URL, webUrl: set.GITHUB_URL },
    openai: { apiKey: set.OPENAI_API_KEY ?? '', baseUrl: set.OPENAI_BASE_URL, api: set.OPENAI_API, models },
    workerConcurrency: set.WORKER_CONCURRENCY,
    /** Runs of one project at once, over all processes; 0: no limit. */
    projectConcurrency: set.PROJECT_CONCURRENCY,
    /** Accepted create and message requests per project and clock hour; 0: no limit. */
    jobRateLimitPerHour: set.JOB_RATE_LIMIT_PER_HOUR,
    runLimits: {
      maxTurns: set.RUN_MAX_TURNS,
      maxTokens: set.RUN_MAX_TOKENS,
      maxSeconds: set.RUN_MAX_SECONDS,
      maxChangedFiles: set.RUN_MAX_CHANGED_FILES,
      maxChangedBytes: set.RUN_MAX_CHANGED_BYTES,
    },
    retention: {
      /** Since the end of their run. */
      turnsDays: set.TURNS_RETENTION_DAYS,
      /** Since they were processed. */
      deliveriesDays: set.DELIVERIES_RETENTION_DAYS,
      /** Entries of the queue, since they ended. */
      queueDays: set.QUEUE_RETENTION_DAYS,
    },
    cacheMaxBytes: set.CACHE_MAX_BYTES,
    /** Who sends it may read `/metrics`; null: only programs on this machine may. */
    metricsToken: set.METRICS_TOKEN,
    logLevel: set.LOG_LEVEL,
  };
}

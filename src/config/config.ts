import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type RegisteredApp, readAppFile } from './app-file.ts';
import { type ConfigReader, findMissing } from './find-missing.ts';
import { readPrivateKey } from './secrets.ts';
import { findUrlMismatch } from './urls.ts';
import { type Variables, variables } from './variables.ts';

export { type ConfigReader, variables };

/** Lists every problem of the configuration: the variable and what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: string[];

  constructor(problems: string[]) {
    super(`invalid configuration:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** The environment, with `.env` of the working directory. The environment overrides the file. */
export function readEnvironment(): NodeJS.ProcessEnv {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}

/**
 * A configuration that is complete (`ready`), or lacks only the App, which `/setup` registers. If any variable of the App is set, the
 * environment configures the App; otherwise the file in DATA_DIR does.
 */
export type Start =
  | { kind: 'ready'; config: Config }
  /** `publicUrl`: null without PUBLIC_URL. */
  | { kind: 'setup'; settings: Settings; publicUrl: string | null };

/** Parses the environment of a service. A blank variable counts as not set. Throws `ConfigError`. */
export function parseStart(environment: NodeJS.ProcessEnv): Start {
  const { settings, app, publicUrl } = parse(environment, 'service');
  return app ? { kind: 'ready', config: withApp(settings, app) } : { kind: 'setup', settings, publicUrl };
}

/** Like `parseStart`, but requires an App. */
export function parseConfig(environment: NodeJS.ProcessEnv, reader: ConfigReader = 'service'): Config {
  const { settings, app } = parse(environment, reader);
  if (app) return withApp(settings, app);
  throw new ConfigError([
    'no App is registered: start the service and open /setup, or set APP_ID, PRIVATE_KEY and WEBHOOK_SECRET',
  ]);
}

/** `app` is undefined only if `/setup` may register one. */
function parse(environment: NodeJS.ProcessEnv, reader: ConfigReader) {
  const trimmed = Object.entries(environment).map(([name, value = '']): [string, string] => [name, value.trim()]);
  const filled = Object.fromEntries(trimmed.filter(([, value]) => value !== ''));
  const { data, error } = variables.safeParse(filled);
  const issues = error?.issues ?? [];
  const malformed = new Set(issues.map(({ path }) => path.join('.')));
  // A malformed variable counts as not set for the other checks.
  const set =
    data ?? variables.parse(Object.fromEntries(Object.entries(filled).filter(([name]) => !malformed.has(name))));
  const isAppInEnvironment = appVariables.some((name) => filled[name] !== undefined);
  // Only ROLE=all reads the file: processes of other roles may run on several machines.
  const mayBeStored = !isAppInEnvironment && (reader === 'keys' || set.ROLE === 'all');
  const privateKey = readPrivateKey({ inline: set.PRIVATE_KEY, path: set.PRIVATE_KEY_PATH });
  const stored = mayBeStored ? readAppFile(resolve(set.DATA_DIR), set.GITHUB_URL) : undefined;
  const missing = findMissing(set, { reader, needsApp: stored === undefined });
  const areUrlsValid = !malformed.has('GITHUB_API_URL') && !malformed.has('GITHUB_URL');
  const problems = [
    ...issues.map(({ path, message }) => `${path.join('.')}: ${message}`),
    ...(areUrlsValid ? findUrlMismatch({ apiUrl: set.GITHUB_API_URL, webUrl: set.GITHUB_URL }) : []),
    ...missing.flatMap(({ names, text }) => (names.some((name) => malformed.has(name)) ? [] : [text])),
    ...privateKey.problems,
    ...(stored?.kind === 'broken' ? [stored.problem] : []),
  ];
  if (problems.length > 0) throw new ConfigError(problems);
  const settings = toSettings(set);
  const fromEnvironment = {
    appId: set.APP_ID ?? '',
    privateKey: privateKey.pem,
    webhookSecret: set.WEBHOOK_SECRET ?? '',
  };
  const fromFile = stored?.kind === 'found' ? toCredentials(stored.app) : undefined;
  return { settings, app: stored ? fromFile : fromEnvironment, publicUrl: set.PUBLIC_URL };
}

/** If any of these is set, the environment configures the App: credentials of two Apps do not mix. */
const appVariables = ['APP_ID', 'PRIVATE_KEY', 'PRIVATE_KEY_PATH', 'WEBHOOK_SECRET'] as const;

export interface GitHubCredentials {
  appId: string;
  /** PEM. */
  privateKey: string;
  webhookSecret: string;
}

export const toCredentials = ({ appId, privateKey, webhookSecret }: RegisteredApp) =>
  ({ appId: String(appId), privateKey: privateKey.trim(), webhookSecret }) satisfies GitHubCredentials;

export type Config = ReturnType<typeof withApp>;

/** The configuration without the App's credentials. */
export type Settings = ReturnType<typeof toSettings>;

export const withApp = (settings: Settings, app: GitHubCredentials) => ({
  ...settings,
  github: { ...settings.github, ...app },
});

function toSettings(set: Variables) {
  const model = set.OPENAI_MODEL ?? '';
  const others = (set.OPENAI_MODELS ?? '').split(',').map((name) => name.trim());
  /** The first is the default. */
  const models: [string, ...string[]] = [model, ...others.filter((name) => name !== '' && name !== model)];
  return {
    role: set.ROLE,
    port: set.PORT,
    host: set.HOST,
    dataDir: resolve(set.DATA_DIR),
    /** null: the embedded PostgreSQL in `dataDir`. */
    databaseUrl: set.DATABASE_URL,
    github: { apiUrl: set.GITHUB_API_URL, webUrl: set.GITHUB_URL },
    openai: { apiKey: set.OPENAI_API_KEY ?? '', baseUrl: set.OPENAI_BASE_URL, api: set.OPENAI_API, models },
    workerConcurrency: set.WORKER_CONCURRENCY,
    /** Live runs per project, over all processes; 0: no limit. */
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
      /** After the end of their run. */
      turnsDays: set.TURNS_RETENTION_DAYS,
      /** After processing. */
      deliveriesDays: set.DELIVERIES_RETENTION_DAYS,
      /** Queue entries, after they end. */
      queueDays: set.QUEUE_RETENTION_DAYS,
    },
    cacheMaxBytes: set.CACHE_MAX_BYTES,
    /** Bearer token of `/metrics`; null: only requests from this machine. */
    metricsToken: set.METRICS_TOKEN,
    logLevel: set.LOG_LEVEL,
  };
}

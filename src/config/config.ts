import { join, resolve } from 'node:path';
import type { z } from 'zod';
import { type RegisteredApp, readAppFile } from './app-file.ts';
import { ConfigError } from './config-error.ts';
import { readEnvFile } from './env-file.ts';
import { type ConfigReader, findMissing } from './find-missing.ts';
import { readProxies, useNetwork } from './network.ts';
import { decodeSecretsKeys, readPrivateKey, type SecretsKey } from './secrets.ts';
import { findUrlMismatch, parseAllowedHosts } from './urls.ts';
import { type Variables, variables } from './variables.ts';

export { type ConfigReader, variables };

/** The environment overrides `.env` of the working directory. Requests of this process then take the proxy that it names. */
export function readEnvironment(): NodeJS.ProcessEnv {
  for (const [name, value] of Object.entries(readEnvFile())) process.env[name] ??= value;
  useNetwork(process.env);
  return process.env;
}

/** Complete (`ready`), or without an App, which `/setup` registers. Any variable of the App in the environment overrides the file. */
type Start = { kind: 'ready'; config: Config } | { kind: 'setup'; settings: ServiceSettings; publicUrl: string | null };

/** A blank variable counts as not set. Throws `ConfigError`. */
export function parseStart(environment: NodeJS.ProcessEnv): Start {
  const { settings, app, publicUrl } = parse(environment, 'service');
  return app ? { kind: 'ready', config: withApp(settings, app) } : { kind: 'setup', settings, publicUrl };
}

export function parseConfig(environment: NodeJS.ProcessEnv, reader: ConfigReader = 'service'): Config {
  const { settings, app } = parse(environment, reader);
  if (app) return withApp(settings, app);
  throw new ConfigError([
    `no App is registered in ${settings.dataDir}: start the service and open /setup, or set APP_ID, PRIVATE_KEY and WEBHOOK_SECRET; or run this in the folder of the service’s .env`,
  ]);
}

/** `app` is undefined only if `/setup` may register one. */
function parse(environment: NodeJS.ProcessEnv, reader: ConfigReader) {
  const filled = withoutBlank(environment);
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
    ...issues.map(describeIssue),
    ...(areUrlsValid ? findUrlMismatch({ apiUrl: set.GITHUB_API_URL, webUrl: set.GITHUB_URL }) : []),
    // A malformed variable is not missing.
    ...missing.filter((text) => !text.split(/[^A-Z_]+/).some((name) => malformed.has(name))),
    ...privateKey.problems,
    ...(stored?.kind === 'broken' ? [stored.problem] : []),
  ];
  if (problems.length > 0) throw new ConfigError(problems);
  const settings = toSettings(set, filled);
  const fromEnvironment = {
    appId: set.APP_ID ?? '',
    privateKey: privateKey.pem,
    webhookSecret: set.WEBHOOK_SECRET ?? '',
    signIn: toSignIn(set.GITHUB_CLIENT_ID, set.GITHUB_CLIENT_SECRET),
  };
  const fromFile = stored?.kind === 'found' ? toCredentials(stored.app) : undefined;
  return { settings, app: stored ? fromFile : fromEnvironment, publicUrl: set.PUBLIC_URL };
}

/** Where the data is; needs neither an App nor a model server. Throws `ConfigError`. */
export function parsePlaces(environment: NodeJS.ProcessEnv): { dataDir: string; databaseUrl: string | null } {
  const places = variables.pick({ DATA_DIR: true, DATABASE_URL: true });
  const { data, error } = places.safeParse(withoutBlank(environment));
  if (error) throw new ConfigError(error.issues.map(describeIssue));
  return { dataDir: resolve(data.DATA_DIR), databaseUrl: data.DATABASE_URL };
}

function withoutBlank(environment: NodeJS.ProcessEnv): Record<string, string> {
  const trimmed = Object.entries(environment).map(([name, value = '']): [string, string] => [name, value.trim()]);
  return Object.fromEntries(trimmed.filter(([, value]) => value !== ''));
}

const describeIssue = ({ path, message }: z.core.$ZodIssue) => `${path.join('.')}: ${message}`;

/** Credentials of two Apps do not mix. */
const appVariables = [
  'APP_ID',
  'PRIVATE_KEY',
  'PRIVATE_KEY_PATH',
  'WEBHOOK_SECRET',
  'GITHUB_CLIENT_ID',
  'GITHUB_CLIENT_SECRET',
] as const;

interface GitHubCredentials {
  appId: string;
  privateKey: string;
  webhookSecret: string;
  /** null: nobody can sign in to the dashboard. */
  signIn: SignInCredentials | null;
}

/** The App's credentials when people sign in. */
interface SignInCredentials {
  clientId: string;
  clientSecret: string;
}

const toSignIn = (clientId: string | null, clientSecret: string | null): SignInCredentials | null =>
  clientId === null || clientSecret === null ? null : { clientId, clientSecret };

export const toCredentials = (app: RegisteredApp): GitHubCredentials => ({
  appId: String(app.appId),
  privateKey: app.privateKey.trim(),
  webhookSecret: app.webhookSecret,
  signIn: toSignIn(app.clientId, app.clientSecret),
});

export type Config = ReturnType<typeof withApp>;

export type ServiceSettings = ReturnType<typeof toSettings>;

export const withApp = (settings: ServiceSettings, app: GitHubCredentials) => ({
  ...settings,
  github: { ...settings.github, ...app },
});

function toSettings(set: Variables, environment: Readonly<Record<string, string>>) {
  const model = set.OPENAI_MODEL ?? '';
  const others = (set.OPENAI_MODELS ?? '').split(',').map((name) => name.trim());
  /** The first is the default. */
  const models: [string, ...string[]] = [model, ...others.filter((name) => name !== '' && name !== model)];
  return {
    role: set.ROLE,
    port: set.PORT,
    host: set.HOST,
    /** null: the listener's address. */
    publicUrl: set.PUBLIC_URL,
    /** Logins that may open the operator's page. */
    operators: set.OPERATORS,
    dataDir: resolve(set.DATA_DIR),
    databaseUrl: set.DATABASE_URL,
    github: { apiUrl: set.GITHUB_API_URL, webUrl: set.GITHUB_URL },
    openai: {
      apiKey: set.OPENAI_API_KEY ?? '',
      baseUrl: set.OPENAI_BASE_URL,
      api: set.OPENAI_API,
      models,
      /** The smallest window of all models. */
      contextTokens: set.OPENAI_CONTEXT_TOKENS,
      /** null: the models' default. */
      reasoningEffort: set.OPENAI_REASONING_EFFORT,
      /** Whether the models see images of instructions. */
      images: set.OPENAI_IMAGES,
    },
    /** The prices of the models that have one. */
    prices: set.OPENAI_PRICES?.prices ?? {},
    /** The currency of the prices. */
    currency: set.OPENAI_PRICES?.currency ?? 'USD',
    workerConcurrency: set.WORKER_CONCURRENCY,
    /** Over all processes; 0: no limit. */
    projectConcurrency: set.PROJECT_CONCURRENCY,
    /** 0: no limit. */
    projectLimits: { rateLimit: set.JOB_RATE_LIMIT_PER_HOUR, tokensPerMonth: set.BUDGET_TOKENS_PER_MONTH },
    /** How many each project may start on a day in UTC. */
    automationRunsPerDay: set.AUTOMATION_RUNS_PER_DAY,
    runLimits: {
      maxTurns: set.RUN_MAX_TURNS,
      maxTokens: set.RUN_MAX_TOKENS,
      maxSeconds: set.RUN_MAX_SECONDS,
      maxChangedFiles: set.RUN_MAX_CHANGED_FILES,
      maxChangedBytes: set.RUN_MAX_CHANGED_BYTES,
    },
    retention: {
      turnsDays: set.TURNS_RETENTION_DAYS,
      deliveriesDays: set.DELIVERIES_RETENTION_DAYS,
      queueDays: set.QUEUE_RETENTION_DAYS,
    },
    /** null: all but a fifth of the disk. */
    cacheMaxBytes: set.CACHE_MAX_BYTES,
    secretsKey: toSecretsKey(set),
    webhookAllowedHosts: parseAllowedHosts(set.WEBHOOK_ALLOWED_HOSTS) ?? [],
    proxies: readProxies(environment),
    /** null: only requests from this machine. */
    metricsToken: set.METRICS_TOKEN,
    logLevel: set.LOG_LEVEL,
  };
}

/** Processes of one role may run on several machines: they share no file. */
function toSecretsKey({ SECRETS_KEY: text, ROLE: role, DATA_DIR: dataDir }: Variables): SecretsKey {
  const keys = text === null ? undefined : decodeSecretsKeys(text);
  if (keys) return { kind: 'set', keys };
  return role === 'all' ? { kind: 'file', path: join(resolve(dataDir), 'secrets.key') } : { kind: 'missing' };
}

import { createPrivateKey } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';

/** Who reads the configuration: the service, or the keys command, which runs beside it and needs less. */
export type ConfigReader = 'service' | 'keys';

/** Thrown with every problem at once, one per line, each naming its variable and what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: string[];

  constructor(problems: string[]) {
    super(`the configuration is wrong:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** Digits only: what else a number may look like (empty, 1e3, 0x10) is more likely a slip than meant. */
const count = (fallback: number, least = 1, most = Number.MAX_SAFE_INTEGER) => {
  const write = new Intl.NumberFormat('en').format;
  const range =
    most === Number.MAX_SAFE_INTEGER ? `, ${write(least)} or more` : ` from ${write(least)} to ${write(most)}`;
  const error = `must be a whole number${range}`;
  return z
    .string()
    .regex(/^\d+$/, error)
    .transform(Number)
    .refine((value) => value >= least && value <= most, error)
    .default(fallback);
};
const oneOf = <const Names extends readonly string[]>(names: Names) =>
  z.enum(names, { error: `must be one of: ${names.join(', ')}` });
const isPercentEncoded = (text: string) => orUndefined(() => decodeURIComponent(text)) !== undefined;
const optionalText = z.string().trim().min(1).nullable().default(null);
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' });
const url = (fallback: string) => httpUrl.default(fallback).transform((text) => text.replace(/\/+$/, ''));

/** Each variable with its form and default: `.env.example` is held against these names by a test. */
export const variables = z.object({
  ROLE: oneOf(['all', 'web', 'worker']).default('all'),
  PORT: count(3000, 0, 65_535),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: httpUrl.nullable().default(null),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// URL' })
    .refine(isPercentEncoded, 'has a % that encodes nothing: write %25 for the sign itself, in a password above all')
    .nullable()
    .default(null),
  APP_ID: z.string().regex(/^\d+$/, 'must be the number GitHub shows as App ID').nullable().default(null),
  PRIVATE_KEY: optionalText,
  PRIVATE_KEY_PATH: optionalText,
  WEBHOOK_SECRET: z
    .string()
    .min(16, 'must have at least 16 characters; make one with: openssl rand -hex 32')
    .nullable()
    .default(null),
  GITHUB_API_URL: url('https://api.github.com'),
  GITHUB_URL: url('https://github.com'),
  GITHUB_CLIENT_ID: optionalText,
  GITHUB_CLIENT_SECRET: optionalText,
  OPENAI_API_KEY: optionalText,
  OPENAI_BASE_URL: httpUrl.nullable().default(null),
  OPENAI_MODEL: optionalText,
  OPENAI_MODELS: optionalText,
  OPENAI_API: oneOf(['responses', 'chat']).default('responses'),
  WORKER_CONCURRENCY: count(4),
  JOB_RATE_LIMIT_PER_HOUR: count(100, 0),
  RUN_MAX_TURNS: count(60),
  RUN_MAX_TOKENS: count(2_000_000),
  RUN_MAX_SECONDS: count(1800),
  RUN_MAX_CHANGED_FILES: count(100),
  RUN_MAX_CHANGED_BYTES: count(4 * 1024 * 1024),
  CACHE_MAX_BYTES: count(10 * 1024 ** 3),
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
});

type Variables = z.infer<typeof variables>;

/** Reads `.env` from the working directory, if there is one; what the environment already holds wins. */
export function readEnvironment(): NodeJS.ProcessEnv {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}

/** Turns an environment into a `Config`. Throws `ConfigError`. An empty variable counts as not set. */
export function parseConfig(environment: NodeJS.ProcessEnv, reader: ConfigReader = 'service'): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const { data, error } = variables.safeParse(given);
  const issues = error?.issues ?? [];
  const malformed = new Set(issues.map(({ path }) => path.join('.')));
  // What is malformed is told as such; to find what else is wrong, it counts as not set.
  const set =
    data ?? variables.parse(Object.fromEntries(Object.entries(given).filter(([name]) => !malformed.has(name))));
  const privateKey = readPrivateKey(set);
  const missing = findMissing(set, reader).filter((problem) => !malformed.has(problem.split(':', 1)[0] ?? ''));
  const wrong = issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  const problems = [...wrong, ...missing, ...privateKey.problems];
  if (problems.length > 0) throw new ConfigError(problems);
  return toConfig(set, privateKey.pem);
}

function findMissing(set: Variables, reader: ConfigReader): string[] {
  const isService = reader === 'service';
  const receives = isService && set.ROLE !== 'worker';
  const works = isService && set.ROLE !== 'web';
  const rules: [boolean, string][] = [
    [set.APP_ID === null, 'APP_ID: set it to the App ID on the App’s settings page'],
    [
      set.PRIVATE_KEY === null && set.PRIVATE_KEY_PATH === null,
      'PRIVATE_KEY or PRIVATE_KEY_PATH: set one of them to the private key made on the App’s settings page',
    ],
    [receives && set.WEBHOOK_SECRET === null, 'WEBHOOK_SECRET: set it to the secret of the App’s webhook'],
    [isService && set.OPENAI_MODEL === null, 'OPENAI_MODEL: name the model that edits, for example gpt-5'],
    [
      works && set.OPENAI_API_KEY === null && set.OPENAI_BASE_URL === null,
      'OPENAI_API_KEY: set it (or OPENAI_BASE_URL, for a model server that wants no key)',
    ],
    [
      isService && set.ROLE !== 'all' && set.DATABASE_URL === null,
      `DATABASE_URL: ROLE=${set.ROLE} needs a PostgreSQL server that all processes share`,
    ],
  ];
  return rules.flatMap(([isMissing, problem]) => (isMissing ? [problem] : []));
}

/** PEM as it is, with `\n` written out, or base64 of it: the three forms in which environments carry keys. */
function readPrivateKey({ PRIVATE_KEY: inline, PRIVATE_KEY_PATH: path }: Variables): {
  pem: string;
  problems: string[];
} {
  if (inline === null && path === null) return { pem: '', problems: [] };
  const name = inline === null ? 'PRIVATE_KEY_PATH' : 'PRIVATE_KEY';
  const text = inline ?? orUndefined(() => readFileSync(path ?? '', 'utf8'));
  if (text === undefined) return { pem: '', problems: [`${name}: there is no file ${path} that can be read`] };
  const decoded = text.includes('-----BEGIN') ? text : Buffer.from(text, 'base64').toString('utf8');
  const pem = decoded.replaceAll('\\n', '\n').trim();
  if (orUndefined(() => createPrivateKey(pem)) !== undefined) return { pem, problems: [] };
  return { pem, problems: [`${name}: is no PEM private key (raw, with \\n, or base64; whole, without a passphrase)`] };
}

/** For readers that answer bad input with an error, where the caller names the problem itself. */
function orUndefined<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Everything that can be set, read once from the environment. Durations and sizes carry their unit in the name. */
export type Config = ReturnType<typeof toConfig>;

function toConfig(set: Variables, privateKey: string) {
  const model = set.OPENAI_MODEL ?? '';
  const others = (set.OPENAI_MODELS ?? '').split(',').map((name) => name.trim());
  /** The first one is the default; callers may name any of them. */
  const models: [string, ...string[]] = [model, ...others.filter((name) => name !== '' && name !== model)];
  return {
    role: set.ROLE,
    port: set.PORT,
    host: set.HOST,
    publicUrl: set.PUBLIC_URL ?? `http://${set.HOST}:${set.PORT}`,
    dataDir: resolve(set.DATA_DIR),
    /** null: the embedded database in `dataDir`. */
    databaseUrl: set.DATABASE_URL,
    github: {
      appId: set.APP_ID ?? '',
      privateKey,
      webhookSecret: set.WEBHOOK_SECRET ?? '',
      apiUrl: set.GITHUB_API_URL,
      webUrl: set.GITHUB_URL,
      clientId: set.GITHUB_CLIENT_ID,
      clientSecret: set.GITHUB_CLIENT_SECRET,
    },
    openai: { apiKey: set.OPENAI_API_KEY ?? '', baseUrl: set.OPENAI_BASE_URL, api: set.OPENAI_API, models },
    workerConcurrency: set.WORKER_CONCURRENCY,
    /** Accepted create and message requests per project and clock hour; 0: no limit. */
    jobRateLimitPerHour: set.JOB_RATE_LIMIT_PER_HOUR,
    runLimits: {
      maxTurns: set.RUN_MAX_TURNS,
      maxTokens: set.RUN_MAX_TOKENS,
      maxSeconds: set.RUN_MAX_SECONDS,
      maxChangedFiles: set.RUN_MAX_CHANGED_FILES,
      maxChangedBytes: set.RUN_MAX_CHANGED_BYTES,
    },
    cacheMaxBytes: set.CACHE_MAX_BYTES,
    logLevel: set.LOG_LEVEL,
  };
}

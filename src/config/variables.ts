import { z } from 'zod';
import { readPrices } from './prices.ts';
import { decodeSecretsKeys } from './secrets.ts';
import { isLoopbackUrl, parseAllowedHosts } from './urls.ts';

/** Accepts digits only: other notations (1e3, 0x10) are more likely typing errors. */
const count = (fallback: number, least?: number, most?: number) => wholeNumber(least, most).default(fallback);
const write = new Intl.NumberFormat('en').format;
const wholeNumber = (least = 1, most = Number.MAX_SAFE_INTEGER) => {
  const range =
    most === Number.MAX_SAFE_INTEGER ? `, ${write(least)} or more` : ` from ${write(least)} to ${write(most)}`;
  const error = `must be a whole number${range}`;
  return z
    .string()
    .regex(/^\d+$/, error)
    .transform(Number)
    .refine((value) => value >= least && value <= most, error);
};
/** Below the largest int4 of PostgreSQL, where some of these values go. */
const million = 1_000_000;
/** A hundred years; far larger numbers exceed PostgreSQL's timestamps. */
const longestDays = 36_500;
const oneOf = <const Names extends readonly string[]>(names: Names) =>
  z.enum(names, { error: `must be one of: ${names.join(', ')}` });
const optionalText = z.string().nullable().default(null);
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) URL', abort: true });
/** Anybody on the way could read the tokens and keys that are sent there. */
const isPrivate = (text: string) => new URL(text).protocol === 'https:' || isLoopbackUrl(text);
const notPrivate = 'must begin with https://; http:// is for this machine only, such as http://localhost:3000';
/** fetch refuses a URL with credentials, and its error shows them. https://fetch.spec.whatwg.org/#dom-request */
const urlWithoutUser = (credentials: string) =>
  httpUrl
    .refine((text) => new URL(text).username === '' && new URL(text).password === '', {
      error: `must not contain a user or password; Pagewright authenticates with ${credentials}`,
      abort: true,
    })
    .refine(isPrivate, notPrivate);
const withoutSlash = (text: string) => text.replace(/(?<!\/)\/+$/, '');
const githubUrl = (fallback: string) =>
  urlWithoutUser('APP_ID and PRIVATE_KEY').default(fallback).transform(withoutSlash);

const publicUrl = httpUrl
  .refine((text) => isBare(new URL(text)), {
    error: 'must contain only scheme and host, such as https://pagewright.example.com',
    abort: true,
  })
  .refine(isPrivate, notPrivate)
  .transform((text) => new URL(text).origin);
const isBare = ({ pathname, search, hash, username, password }: URL) =>
  pathname === '/' && [search, hash, username, password].every((part) => part === '');

const pricesText = z.string().transform((text, context) => {
  const read = readPrices(text);
  if (read.kind === 'prices') return read;
  context.addIssue({ code: 'custom', message: read.problem });
  return z.NEVER;
});

/** Every variable of the environment, with its format and default; a test compares them with `.env.example`. */
export const variables = z.object({
  ROLE: oneOf(['all', 'web', 'worker']).default('all'),
  PORT: count(3000, 0, 65_535),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: publicUrl.nullable().default(null),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// URL' })
    .refine(
      isPercentEncoded,
      'contains a % that encodes nothing: write a percent sign, for example in a password, as %25',
    )
    .nullable()
    .default(null),
  APP_ID: z.string().regex(/^\d+$/, 'must be the number that GitHub shows as App ID').nullable().default(null),
  PRIVATE_KEY: optionalText,
  PRIVATE_KEY_PATH: optionalText,
  WEBHOOK_SECRET: z
    .string()
    .min(16, 'must have at least 16 characters; generate one with: openssl rand -hex 32')
    .nullable()
    .default(null),
  GITHUB_CLIENT_ID: optionalText,
  GITHUB_CLIENT_SECRET: optionalText,
  GITHUB_API_URL: githubUrl('https://api.github.com'),
  GITHUB_URL: githubUrl('https://github.com'),
  OPENAI_API_KEY: optionalText,
  OPENAI_BASE_URL: urlWithoutUser('OPENAI_API_KEY').nullable().default(null),
  OPENAI_MODEL: optionalText,
  OPENAI_MODELS: optionalText,
  OPENAI_API: oneOf(['responses', 'chat']).default('responses'),
  // The first input alone takes some thousand tokens.
  OPENAI_CONTEXT_TOKENS: count(200_000, 16_000),
  OPENAI_REASONING_EFFORT: oneOf(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).nullable().default(null),
  OPENAI_IMAGES: oneOf(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true'),
  OPENAI_PRICES: pricesText.nullable().default(null),
  WORKER_CONCURRENCY: count(4, 1, million),
  PROJECT_CONCURRENCY: count(0, 0, million),
  JOB_RATE_LIMIT_PER_HOUR: count(100, 0, million),
  BUDGET_TOKENS_PER_MONTH: count(0, 0),
  AUTOMATION_RUNS_PER_DAY: count(20, 1, million),
  RUN_MAX_TURNS: count(60, 1, million),
  RUN_MAX_TOKENS: count(2_000_000),
  RUN_MAX_SECONDS: count(1800),
  RUN_MAX_CHANGED_FILES: count(100),
  RUN_MAX_CHANGED_BYTES: count(4 * 1024 * 1024),
  TURNS_RETENTION_DAYS: count(30, 0, longestDays),
  DELIVERIES_RETENTION_DAYS: count(30, 4, longestDays),
  QUEUE_RETENTION_DAYS: count(1, 1, longestDays),
  CACHE_MAX_BYTES: wholeNumber().nullable().default(null),
  SECRETS_KEY: z
    .string()
    .refine(
      (text) => decodeSecretsKeys(text) !== undefined,
      'must be 32 bytes in base64, or several of them separated by commas; generate one with: openssl rand -base64 32',
    )
    .nullable()
    .default(null),
  WEBHOOK_ALLOWED_HOSTS: z
    .string()
    .default('')
    .refine(
      (text) => parseAllowedHosts(text) !== undefined,
      'must be hosts, or hosts with a port, separated by commas: hooks.example.internal,10.0.0.7:8080',
    ),
  OPERATORS: z
    .string()
    .default('')
    .transform((text) => text.split(',').map((login) => login.trim()))
    .transform((logins) => logins.filter((login) => login !== ''))
    .refine((logins) => logins.every(isLogin), 'must be logins on GitHub, separated by commas'),
  METRICS_TOKEN: z
    .string()
    .regex(/^\S{16,}$/, 'must have at least 16 characters and no space; generate one with: openssl rand -hex 32')
    .nullable()
    .default(null),
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
});

/** null: not set, and without a default. */
export type Variables = z.infer<typeof variables>;

const isLogin = (login: string): boolean => /^[a-z\d][a-z\d_-]*$/i.test(login);

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

import { z } from 'zod';
import { isLoopbackUrl } from './is-loopback-url.ts';
import { orUndefined } from './or-undefined.ts';

/** Digits only: any other way to write a number (1e3, 0x10) is more likely a slip than meant. */
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
/** More than anybody needs, and far below what the int4 that some of these reach in PostgreSQL can hold. */
const million = 1_000_000;
/** A hundred years; far larger numbers would reach back further than PostgreSQL's timestamps do. */
const longestDays = 36_500;
const oneOf = <const Names extends readonly string[]>(names: Names) =>
  z.enum(names, { error: `must be one of: ${names.join(', ')}` });
const isPercentEncoded = (text: string) => orUndefined(() => decodeURIComponent(text)) !== undefined;
const optionalText = z.string().nullable().default(null);
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) URL', abort: true });
/** fetch refuses a URL with a password, and shows it in its error. https://fetch.spec.whatwg.org/#dom-request */
const urlWithoutUser = (credentials: string) =>
  httpUrl.refine(
    (text) => new URL(text).username === '' && new URL(text).password === '',
    `no request can be sent to a URL with a user or password; take it out, what signs in is ${credentials}`,
  );
const withoutSlash = (text: string) => text.replace(/\/+$/, '');
const githubUrl = (fallback: string) =>
  urlWithoutUser('APP_ID and PRIVATE_KEY').default(fallback).transform(withoutSlash);

/** Our own addresses are made by appending a path to it, and deliveries and keys are sent over it. */
const publicUrl = httpUrl
  .refine((text) => isBare(new URL(text)), {
    error: 'write the host alone, without user, path, ? or #, such as https://pagewright.example.com',
    abort: true,
  })
  .refine(
    (text) => new URL(text).protocol === 'https:' || isLoopbackUrl(text),
    'must begin with https:// (http:// is for this machine only, such as http://localhost:3000)',
  )
  .transform((text) => new URL(text).origin);
const isBare = ({ pathname, search, hash, username, password }: URL) =>
  pathname === '/' && [search, hash, username, password].every((part) => part === '');

/** Each variable of the environment with its form and default: `.env.example` is held against these names by a test. */
export const variables = z.object({
  ROLE: oneOf(['all', 'web', 'worker']).default('all'),
  PORT: count(3000, 0, 65_535),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: publicUrl.nullable().default(null),
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
  GITHUB_API_URL: githubUrl('https://api.github.com'),
  GITHUB_URL: githubUrl('https://github.com'),
  OPENAI_API_KEY: optionalText,
  OPENAI_BASE_URL: urlWithoutUser('OPENAI_API_KEY').nullable().default(null),
  OPENAI_MODEL: optionalText,
  OPENAI_MODELS: optionalText,
  OPENAI_API: oneOf(['responses', 'chat']).default('responses'),
  WORKER_CONCURRENCY: count(4, 1, million),
  PROJECT_CONCURRENCY: count(0, 0, million),
  JOB_RATE_LIMIT_PER_HOUR: count(100, 0, million),
  RUN_MAX_TURNS: count(60, 1, million),
  RUN_MAX_TOKENS: count(2_000_000),
  RUN_MAX_SECONDS: count(1800),
  RUN_MAX_CHANGED_FILES: count(100),
  RUN_MAX_CHANGED_BYTES: count(4 * 1024 * 1024),
  TURNS_RETENTION_DAYS: count(30, 0, longestDays),
  DELIVERIES_RETENTION_DAYS: count(30, 4, longestDays),
  QUEUE_RETENTION_DAYS: count(1, 1, longestDays),
  CACHE_MAX_BYTES: count(10 * 1024 ** 3),
  METRICS_TOKEN: z
    .string()
    .regex(/^\S{16,}$/, 'must have at least 16 characters and no space; make one with: openssl rand -hex 32')
    .nullable()
    .default(null),
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
});

/** What the variables hold; null: not set, and there is no default. */
export type Variables = z.infer<typeof variables>;

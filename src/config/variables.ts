import { z } from 'zod';
import { isLoopbackUrl } from './is-loopback-url.ts';
import { orUndefined } from './or-undefined.ts';

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
const withoutSlash = (text: string) => text.replace(/\/+$/, '');
const url = (fallback: string) => httpUrl.default(fallback).transform(withoutSlash);

/** Every address of ours is made by putting a path behind it, and deliveries and keys go over it. */
const publicUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) URL', abort: true })
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
  PROJECT_CONCURRENCY: count(0, 0),
  JOB_RATE_LIMIT_PER_HOUR: count(100, 0),
  RUN_MAX_TURNS: count(60),
  RUN_MAX_TOKENS: count(2_000_000),
  RUN_MAX_SECONDS: count(1800),
  RUN_MAX_CHANGED_FILES: count(100),
  RUN_MAX_CHANGED_BYTES: count(4 * 1024 * 1024),
  TURNS_RETENTION_DAYS: count(30, 0),
  DELIVERIES_RETENTION_DAYS: count(30, 4),
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

import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { codeOf } from '../errors.ts';
import { isPrivateKey } from './secrets.ts';

const registeredAppSchema = z.object({
  appId: z.int().positive(),
  slug: z.string().min(1),
  name: z.string().min(1),
  owner: z.string().nullable(),
  url: z.url({ protocol: /^https?$/ }),
  privateKey: z.string().refine(isPrivateKey, 'must be a private key in PEM'),
  webhookSecret: z.string().min(16),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  githubUrl: z.url({ protocol: /^https?$/ }),
});

export type RegisteredApp = z.infer<typeof registeredAppSchema>;

/** Undefined if anything is missing: without the webhook secret, for example, any delivery could be forged. */
export const toRegisteredApp = (value: unknown): RegisteredApp | undefined => registeredAppSchema.safeParse(value).data;

type AppFile = { kind: 'missing' } | { kind: 'found'; app: RegisteredApp } | { kind: 'broken'; problem: string };

const locate = (dataDir: string) => join(dataDir, 'app.json');

/** Rejects a file that other users can read. `problem` shows nothing of the content. */
export function readAppFile(dataDir: string, githubUrl: string): AppFile {
  const path = locate(dataDir);
  const broken = (what: string): AppFile => ({ kind: 'broken', problem: `${path}: ${what}` });
  const file = openOrCode(path);
  if (file === 'ENOENT') return { kind: 'missing' };
  if (typeof file === 'string') return broken(`cannot be read (${file}); run Pagewright as the user that ran /setup`);
  try {
    const isReadableByOthers = (fstatSync(file).mode & 0o077) !== 0;
    if (isReadableByOthers) return broken(`contains secrets that other users can read; run: chmod 600 ${path}`);
    const app = parseAppFile(file);
    if (app === undefined) return broken('is damaged; move it away and register the App again');
    if (app.githubUrl === githubUrl) return { kind: 'found', app };
    return broken(
      `contains an App of ${app.githubUrl}, but GITHUB_URL is ${githubUrl}; set GITHUB_URL to ${app.githubUrl}, or move the file away`,
    );
  } finally {
    closeSync(file);
  }
}

function parseAppFile(file: number): RegisteredApp | undefined {
  try {
    return toRegisteredApp(JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')));
  } catch {
    return undefined;
  }
}

function openOrCode(path: string): number | string {
  try {
    return openSync(path, 'r');
  } catch (error) {
    return codeOf(error);
  }
}

/** Readable by the owner only. Atomic: a crash leaves the complete file or none. */
export async function writeAppFile(dataDir: string, app: RegisteredApp): Promise<void> {
  const path = locate(dataDir);
  const draft = `${path}.${randomUUID()}`;
  try {
    await mkdir(dataDir, { recursive: true });
    await writeFile(draft, `${JSON.stringify(app, null, 2)}\n`, { flag: 'wx', mode: 0o600, flush: true });
    await rename(draft, path);
    await using folder = await open(dataDir);
    await folder.sync();
  } catch (cause) {
    await rm(draft, { force: true });
    throw new Error(`could not store the App in ${path}`, { cause });
  }
}

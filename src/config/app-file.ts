import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { orUndefined } from './or-undefined.ts';
import { isPrivateKey } from './private-key.ts';

const registeredAppSchema = z.object({
  appId: z.int().positive(),
  slug: z.string().min(1),
  name: z.string().min(1),
  /** The login of the account that owns it. */
  owner: z.string().nullable(),
  /** Its page on GitHub. */
  url: z.url({ protocol: /^https?$/ }),
  privateKey: z.string().refine(isPrivateKey, 'is no PEM private key'),
  webhookSecret: z.string().min(16),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  /** GITHUB_URL of the GitHub that it is registered with. */
  githubUrl: z.url({ protocol: /^https?$/ }),
});

/** An App that was registered through `/setup`, with everything that is needed to act as it. */
export type RegisteredApp = z.infer<typeof registeredAppSchema>;

/** Undefined for anything but a whole App: without its webhook secret, for one, deliveries could not be told from forged ones. */
export const toRegisteredApp = (given: unknown): RegisteredApp | undefined => registeredAppSchema.safeParse(given).data;

export type AppFile = { kind: 'missing' } | { kind: 'found'; app: RegisteredApp } | { kind: 'broken'; problem: string };

const locate = (dataDir: string) => join(dataDir, 'app.json');

/** Reads what `writeAppFile` stored. A file that others could read is refused like one that is broken; `problem` shows nothing of it. */
export function readAppFile(dataDir: string, githubUrl: string): AppFile {
  const path = locate(dataDir);
  const broken = (what: string): AppFile => ({ kind: 'broken', problem: `${path}: ${what}` });
  const file = openOrCode(path);
  if (file === 'ENOENT') return { kind: 'missing' };
  if (typeof file === 'string') return broken(`cannot be read (${file}); it belongs to whoever ran /setup`);
  try {
    const isOpenToOthers = (fstatSync(file).mode & 0o077) !== 0;
    if (isOpenToOthers) return broken(`holds secrets and is open to others; close it with: chmod 600 ${path}`);
    const app = orUndefined(() => registeredAppSchema.parse(JSON.parse(readFileSync(file, 'utf8'))));
    if (app === undefined) return broken('is not what /setup stored; move it away to register the App anew');
    if (app.githubUrl === githubUrl) return { kind: 'found', app };
    return broken(
      `holds an App of ${app.githubUrl}, and GITHUB_URL is ${githubUrl}; set it to that, or move the file away`,
    );
  } finally {
    closeSync(file);
  }
}

function openOrCode(path: string): number | string {
  try {
    return openSync(path, 'r');
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  }
}

/** Stores an App in DATA_DIR, for its owner's eyes only. A crash leaves the whole file or none of it. */
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

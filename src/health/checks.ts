import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import type { Config } from '../config/config.ts';
import type { GitHubApp } from '../github/auth/app.ts';
import { AppKeyRefused } from '../github/refusals/errors.ts';
import type { Check } from './health.ts';

/** Costs a request to GitHub and one to the model server, and no tokens. A process of `ROLE=web` asks no model and edits no files. */
export function createChecks({
  config,
  github,
}: {
  config: Pick<Config, 'role' | 'dataDir' | 'openai'>;
  github: Pick<GitHubApp, 'readApp'>;
}): Check[] {
  const { role, dataDir, openai } = config;
  const checks: Check[] = [
    {
      part: 'github_app',
      find: (signal) => github.readApp(signal).then(() => undefined, describeRefusal),
    },
    {
      part: 'github_permissions',
      async find(signal) {
        const { missing } = await github.readApp(signal);
        if (missing.length === 0) return undefined;
        return `The App lacks ${missing.join(', ')}. Grant them in its settings on GitHub, then accept them for each installation.`;
      },
    },
  ];
  if (role === 'web') return checks;
  return [
    ...checks,
    { part: 'model', find: (signal) => findModelProblem(openai, signal) },
    { part: 'data_dir', find: () => findFolderProblem(dataDir) },
  ];
}

function describeRefusal(error: unknown): string {
  if (!(error instanceof AppKeyRefused)) throw error;
  return `GitHub refuses the App’s key: ${error.message}. Check APP_ID, PRIVATE_KEY and the clock of this machine.`;
}

/** The default of the openai SDK. */
const openaiUrl = 'https://api.openai.com/v1';

/** https://developers.openai.com/api/reference/resources/models/methods/list. Its answer may quote the key, so nothing of it is shown. */
async function findModelProblem(
  { baseUrl, apiKey }: Config['openai'],
  signal: AbortSignal,
): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const { status, body } = await fetch(`${(baseUrl ?? openaiUrl).replace(/\/+$/, '')}/models`, {
    headers,
    redirect: 'manual',
    signal,
  });
  await body?.cancel();
  if (status !== 401 && status !== 403) return undefined;
  return `The model server refuses OPENAI_API_KEY with status ${status}. Check OPENAI_API_KEY and OPENAI_BASE_URL.`;
}

async function findFolderProblem(dataDir: string): Promise<string | undefined> {
  try {
    // The first one to need it makes it.
    await mkdir(dataDir, { recursive: true });
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return `DATA_DIR (${dataDir}) cannot be written (${code}). Give the user of this process write access to it.`;
  }
}

import type { RepositoryClient } from '../github/calls/repository-client.ts';
import { compileGlob } from '../glob.ts';
import { parseSettings, settingsPath, tooLargeSettings, tooSlowSettings } from '../repository/settings.ts';
import { type RunTask, ThreadFailure, type ThreadTask } from '../threads/threads.ts';

type ReadSettings = ReturnType<typeof parseSettings>;

/** Undefined (no file) gives the defaults. Never throws. */
export function readRepositorySettings(text: string | undefined): ReadSettings {
  return parseSettings(text ?? '', { isGlob: (glob) => compileGlob(glob) !== null });
}

const readSettingsTask: ThreadTask<string | undefined, ReadSettings> = {
  module: import.meta.url,
  work: readRepositorySettings,
};

/** `readSettings` in a thread: settings that take too long are refused. */
export async function readSettingsInThread(
  text: string | undefined,
  { runTask, signal }: { runTask: RunTask; signal: AbortSignal },
): Promise<ReadSettings> {
  if (text === undefined) return readRepositorySettings(text);
  return runTask(readSettingsTask, text, signal).catch((error: unknown) => {
    if (error instanceof ThreadFailure) return tooSlowSettings;
    throw error;
  });
}

export async function fetchSettings(
  client: RepositoryClient,
  reading: { runTask: RunTask; signal: AbortSignal },
): Promise<ReadSettings> {
  const file = await client.fetchFile(settingsPath);
  if (file.kind === 'too_large') return tooLargeSettings;
  return readSettingsInThread(file.kind === 'text' ? file.text : undefined, reading);
}

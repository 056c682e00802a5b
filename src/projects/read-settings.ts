import type { RepositoryClient } from '../github/calls/repository-client.ts';
import { compileGlob } from '../glob.ts';
import { parseSettings, settingsPath, tooLargeSettings } from '../repository/settings.ts';

type ReadSettings = ReturnType<typeof parseSettings>;

/** Undefined (no file) gives the defaults. Never throws. */
export function readSettings(text: string | undefined): ReadSettings {
  return parseSettings(text ?? '', { isGlob: (glob) => compileGlob(glob) !== null });
}

export async function fetchSettings(client: RepositoryClient): Promise<ReadSettings> {
  const file = await client.fetchFile(settingsPath);
  if (file.kind === 'too_large') return tooLargeSettings;
  return readSettings(file.kind === 'text' ? file.text : undefined);
}

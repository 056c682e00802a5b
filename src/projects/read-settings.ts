import type { RepositoryClient } from '../github/calls/repository-client.ts';
import { parseSettings, settingsPath, tooLargeSettings } from '../repository/settings.ts';
import { compileGlob } from '../workspace/policy/glob.ts';

type ReadSettings = ReturnType<typeof parseSettings>;

/** What a settings file says, with the globs that workspaces know; undefined, for no file: the defaults. Never throws. */
export function readSettings(text: string | undefined): ReadSettings {
  return parseSettings(text ?? '', { isGlob: (glob) => compileGlob(glob) !== null });
}

/** The same of the file on the default branch, read over the API. */
export async function fetchSettings(client: RepositoryClient): Promise<ReadSettings> {
  const file = await client.fetchFile(settingsPath);
  if (file.kind === 'too_large') return tooLargeSettings;
  return readSettings(file.kind === 'text' ? file.text : undefined);
}

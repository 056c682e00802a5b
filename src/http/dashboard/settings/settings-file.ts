import { isDeepStrictEqual } from 'node:util';
import { readRepositorySettings } from '../../../projects/read-repository-settings.ts';
import { defaultSettings, type Settings, settingsSchema } from '../../../repository/settings.ts';
import { readSettingsYaml, writeYaml, type YamlEntry } from '../../../repository/settings-yaml.ts';
import type { ThreadTask } from '../../../threads/threads.ts';

/** A version of the file, as it is written. */
export interface SettingsFile {
  settings: Settings;
  /** Each setting by itself: the default where the file has a mistake. */
  readable: Settings;
  problems: string[];
  /** Where each setting of the file stands. */
  lines: Record<string, number>;
}

export const readFileTask: ThreadTask<string, SettingsFile> = { module: import.meta.url, work: readSettingsFile };

export function readSettingsFile(text: string): SettingsFile {
  const { settings, problems } = readRepositorySettings(text);
  const { entries } = readSettingsYaml(text);
  const lines = Object.fromEntries(entries.map(({ key, line }) => [key, line]));
  return { settings, problems, lines, readable: { ...defaultSettings, ...listReadable(entries) } };
}

/** The settings without a mistake. */
const listReadable = (entries: readonly YamlEntry[]): WantedSettings =>
  Object.fromEntries(
    entries.flatMap(({ key, value }) => {
      const { data } = settingsSchema.safeParse({ [key]: value });
      return data && Object.hasOwn(data, key) ? [[key, Reflect.get(data, key)]] : [];
    }),
  );

/** The settings that a person fills in. */
export type WantedSettings = Partial<Settings>;

/** `text`: the file with the wanted settings. The rest of it, its comments too, stays. */
type Changed =
  | { kind: 'changed'; text: string; names: string[] }
  | { kind: 'unchanged' }
  | { kind: 'refused'; problems: string[] };

export const changeFileTask: ThreadTask<{ text: string; wanted: WantedSettings }, Changed> = {
  module: import.meta.url,
  work: changeSettingsFile,
};

/** Removes a setting that gets its default. Never returns a file with a mistake. */
export function changeSettingsFile({ text, wanted }: { text: string; wanted: WantedSettings }): Changed {
  const { problems: broken, entries } = readSettingsYaml(text);
  if (broken.length > 0) return { kind: 'refused', problems: broken };
  const readable = listReadable(entries);
  const isSet = (name: string) => entries.some(({ key }) => key === name);
  const isSame = (name: string, value: unknown) =>
    isSet(name) ? isDeepStrictEqual(value, Reflect.get(readable, name)) : isDefault(name, value);
  const changed = Object.entries(wanted).filter(([name, value]) => !isSame(name, value));
  if (changed.length === 0) return { kind: 'unchanged' };
  const written =
    writeYaml(
      text,
      changed.map(([name, value]) => [name, isDefault(name, value) ? undefined : value]),
    ) || '# The defaults apply.\n';
  const { problems } = readRepositorySettings(written);
  if (problems.length > 0) return { kind: 'refused', problems };
  return { kind: 'changed', text: written, names: changed.map(([name]) => name) };
}

export const isDefault = (name: string, value: unknown) => isDeepStrictEqual(value, Reflect.get(defaultSettings, name));

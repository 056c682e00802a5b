import { defaultSettings, type Settings, settingsSchema } from './settings.ts';

/** The stored settings of a repository; the defaults where there are none, or another version stored them. Never throws. */
export function readStoredSettings(stored: unknown): Settings {
  return settingsSchema.safeParse(stored).data ?? defaultSettings;
}

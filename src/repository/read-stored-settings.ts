import { defaultSettings, type Settings, settingsSchema } from './settings.ts';

/** The settings that are kept of a repository; the defaults where none are, or where they are of another version. Never throws. */
export function readStoredSettings(stored: unknown): Settings {
  return settingsSchema.safeParse(stored).data ?? defaultSettings;
}

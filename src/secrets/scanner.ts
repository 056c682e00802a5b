import type { RunInThread, Threads } from '../threads/threads.ts';
import type { Secret } from './find-secrets.ts';

/** Throws `ThreadFailure`, `ThreadsBusy` and the signal's reason: a text that was not scanned is neither shown nor published. */
export type ScanText = (text: string, options: RunInThread) => Promise<Secret[]>;

/** Scanning so many characters takes less than 20 ms, even if all of them are escapes. */
const shortText = 32 * 1024;

// Loaded where a text is first scanned.
export const findSecrets = async (text: string) => (await import('./find-secrets.ts')).findSecrets(text);

/** `findSecrets`, which for long texts runs in a thread. */
export function createScanner({ threads }: { threads: { run: Threads['run'] } }): ScanText {
  const task = { module: import.meta.url, work: findSecrets, isSmall: (text: string) => text.length <= shortText };
  return (text, options) => threads.run(task, text, options);
}

/** Longest first, because one key may contain another. */
export function maskSecrets(text: string, secrets: readonly Secret[]): string {
  const values = secrets.map(({ value }) => value).sort((a, b) => b.length - a.length);
  return values.reduce((masked, value) => masked.replaceAll(value, '[secret]'), text);
}

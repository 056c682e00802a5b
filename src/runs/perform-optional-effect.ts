import { isRefusal } from '../github/refusal.ts';
import type { Log } from '../log.ts';
import { addRunWarning } from '../store/runs.ts';
import { performEffect } from './perform-effect.ts';

/**
 * Does a thing without which the run is not worth less: what GitHub refuses becomes a warning of the run, and stays refused. Else as
 * `performEffect`.
 */
export async function performOptionalEffect<Done extends { externalId: string }>({
  log,
  what,
  ...effect
}: Parameters<typeof performEffect<Done>>[0] & {
  log: Log;
  /** Begins the warning: what could not be done. */
  what?: string;
}): Promise<void> {
  const { runId, key } = effect;
  try {
    await performEffect({
      ...effect,
      recordRefusal: (tx, { message }) => addRunWarning(tx, runId, [what, message].filter(Boolean).join(' ')),
    });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    log.warn({ err: error, runId, key }, 'an effect was refused');
  }
}

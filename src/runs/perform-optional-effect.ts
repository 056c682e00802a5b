import { isRefusal } from '../github/refusals/read-refusal.ts';
import { addRunWarning } from '../store/tables/runs.ts';
import { findFailedEnd } from './failures.ts';
import { type EffectGiven, performEffect } from './perform-effect.ts';
import type { RunAtSite } from './prepare/open-checkout.ts';
import type { RunParts } from './run-parts.ts';

/**
 * Does a thing without which the run is not worth less: what GitHub refuses becomes a warning of the run, and stays refused. Else as
 * `performEffect`.
 */
export async function performOptionalEffect<Done extends { externalId: string }>(
  parts: Pick<RunParts, 'database' | 'takeStep' | 'log'>,
  given: Pick<RunAtSite, 'lease' | 'run' | 'signal'>,
  {
    what,
    ...effect
  }: EffectGiven<Done> & {
    /** Begins the warning: what could not be done. */
    what?: string;
  },
): Promise<void> {
  const runId = given.run.run_id;
  const { key } = effect;
  try {
    await performEffect(parts, given, {
      ...effect,
      recordRefusal: (tx, refusal) =>
        addRunWarning(tx, runId, [what, findFailedEnd(refusal)?.sentence ?? refusal.message].filter(Boolean).join(' ')),
    });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    parts.log.warn({ err: error, runId, key }, 'an effect was refused');
  }
}

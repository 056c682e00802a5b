import { HandedOver, LeaseLost, Parked, RunFailure, StopRequested } from '../errors.ts';
import { AmbiguousWrite } from '../github/ambiguous-write.ts';
import { GitHubUnavailable } from '../github/github-unavailable.ts';
import { cancelled } from '../jobs/cancel-job.ts';
import { isDatabaseUnavailable } from '../store/availability.ts';

/** An end that people are told: a code for programs, one plain sentence for them. */
export interface FailedEnd {
  code: string;
  sentence: string;
}

/**
 * What an error means for the run that met it. `end`: trying again would not help. `wait`: something outside has to pass
 * first; `ifTooLong` is its end when that takes a day. `give_back`: nothing is wrong with it. `suspended`: the installation is,
 * for now. `fault`: ours, and it may pass.
 */
export type Judgement =
  | ({ kind: 'end' } & FailedEnd)
  | { kind: 'wait'; delayMs: number; ifTooLong: FailedEnd }
  | { kind: 'give_back'; delayMs: number }
  | { kind: 'suspended' }
  | { kind: 'fault' };

const outageRetryMs = 30_000;
const databaseRetryMs = 1_000;

export function judgeError(error: unknown): Judgement {
  if (error instanceof StopRequested) return { kind: 'end', ...cancelled };
  if (error instanceof RunFailure) {
    if (error.code === 'installation_suspended') return { kind: 'suspended' };
    return { kind: 'end', code: error.code, sentence: error.message };
  }
  if (error instanceof Parked) {
    return { kind: 'wait', delayMs: error.until.getTime() - Date.now(), ifTooLong: waitedTooLong(error) };
  }
  if (error instanceof GitHubUnavailable || error instanceof AmbiguousWrite) {
    return { kind: 'wait', delayMs: outageRetryMs, ifTooLong: githubUnavailable };
  }
  if (error instanceof HandedOver || error instanceof LeaseLost) return { kind: 'give_back', delayMs: 0 };
  if (isDatabaseUnavailable(error)) return { kind: 'give_back', delayMs: databaseRetryMs };
  return { kind: 'fault' };
}

const waitedTooLong = ({ message }: Parked): FailedEnd => ({
  code: 'waited_too_long',
  sentence: `The run waited a day and got no further (${message}): send the instruction again later.`,
});

const githubUnavailable: FailedEnd = {
  code: 'github_unavailable',
  sentence: 'GitHub gave no answer for a day: send the instruction again when it is back.',
};

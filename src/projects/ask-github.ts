import { TokenLost } from '../github/refusals/errors.ts';
import { GitHubRefusal } from '../github/refusals/github-refusal.ts';
import { findWait } from './find-wait.ts';
import { isOutOfReach } from './follow-transfer.ts';

/** `refused`: `message` says why, and what to do. `unavailable`: GitHub is down, limits requests, or suspended the installation. */
type AskedGitHub<Result> =
  | { kind: 'answered'; result: Result }
  | { kind: 'project_gone' }
  | { kind: 'refused'; message: string }
  | { kind: 'unavailable' };

/** For a caller who waits: returns a refusal or an outage of GitHub as a value. Throws all other errors. */
export async function askGitHub<Result>(ask: () => Promise<Result>): Promise<AskedGitHub<Result>> {
  try {
    return { kind: 'answered', result: await askAgainIfTokenLost(ask) };
  } catch (error) {
    if (isOutOfReach(error)) return { kind: 'project_gone' };
    if (error instanceof TokenLost || findWait(error, { ageMs: 0 })) return { kind: 'unavailable' };
    if (error instanceof GitHubRefusal) return { kind: 'refused', message: error.message };
    throw error;
  }
}

/** A token that is kept may have lost its repository a moment ago: only a new one finds out whether that moved or is gone. */
async function askAgainIfTokenLost<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof TokenLost) return ask();
    throw error;
  }
}

import type { Octokit } from '@octokit/rest';
import { pause } from '../../pause.ts';
import { isTooNew } from '../refusals/pull-request-refusal.ts';
import type { GitHubConnection } from './connection.ts';

export interface CallContext {
  connection: GitHubConnection;
  /** Shared by all writes of a client: GitHub gives the same answer for a team that the token may not see. */
  settleDelaysMs: number[];
  owner: string;
  repo: string;
  /** `owner/repo`. */
  name: string;
  repositoryId: number;
  /** With the bot's login, tells the App's own comments from those that copy its marker. */
  appId: number;
  fetchBotLogin: (signal: AbortSignal) => Promise<string>;
}

/** While GitHub does not know a new object everywhere, it refuses writes to it: they are sent again after each of `settleDelaysMs`. */
export async function writeOnNew<Result>(
  { connection, settleDelaysMs }: CallContext,
  what: string,
  request: (octokit: Octokit) => Promise<Result>,
): Promise<Result> {
  for (;;) {
    const waitMs = settleDelaysMs[0];
    const done = await connection.write<{ result: Result } | { waitMs: number }>(
      what,
      async (octokit) => ({ result: await request(octokit) }),
      {
        422: (answer, error) => {
          if (waitMs === undefined || !isTooNew(answer.data)) throw error;
          return { waitMs };
        },
      },
    );
    if ('result' in done) return done.result;
    settleDelaysMs.shift();
    await pause(done.waitMs, connection.signal);
  }
}

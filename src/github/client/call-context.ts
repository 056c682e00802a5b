import type { Octokit } from '@octokit/rest';
import { pause } from '../../pause.ts';
import { isTooNew } from '../refusals/pull-request-refusal.ts';
import type { Connection } from './connection.ts';

/** What the calls of one repository client share. */
export interface CallContext {
  connection: Connection;
  /** The remaining pauses before an early write is sent again, in milliseconds. */
  settleDelaysMs: number[];
  owner: string;
  repo: string;
  repositoryId: number;
  /** With the bot's login, tells the App's own comments from those that copy its marker. */
  appId: number;
  fetchBotLogin: (signal: AbortSignal) => Promise<string>;
}

/**
 * `Connection.write` for something that was just created. While GitHub does not know it everywhere, it refuses the write, which is sent again
 * after each of `settleDelaysMs`. All writes of one client share these pauses, because GitHub answers the same for a team that the token may
 * not see.
 */
export async function writeOnNew<Result>(
  { connection, settleDelaysMs }: Pick<CallContext, 'connection' | 'settleDelaysMs'>,
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

import type { Octokit } from '@octokit/rest';
import { pause } from '../../pause.ts';
import { isTooNew } from '../refusals/pull-request-refusal.ts';
import type { Connection } from './connection.ts';

/** What each group of a repository client's calls is made of; the client's face says what they promise. */
export interface CallContext {
  connection: Connection;
  /** The pauses that are left before a write that came too soon is sent again, in milliseconds. */
  settleDelaysMs: number[];
  owner: string;
  repo: string;
  repositoryId: number;
  /** Who we are: what others wrote is not ours, whatever it contains. */
  appId: number;
  fetchBotLogin: (signal: AbortSignal) => Promise<string>;
}

/**
 * A write on what may have been created a moment ago. Where a part of GitHub does not know that yet, it refuses the write and has done
 * nothing, so the write is sent again after each of `settleDelaysMs`. Of a team that the token may not see, GitHub says the same for ever:
 * so the pauses are few, and all writes of one client share them. Else as `Connection.write`.
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

import type { Octokit } from '@octokit/rest';
import { pause } from '../../pause.ts';
import { isTooNew } from '../refusals/pull-request-refusal.ts';
import type { CallSite } from './call-site.ts';

/**
 * A write on what may have been created a moment ago. Where a part of GitHub does not know that yet, it refuses the write and has done
 * nothing, so the write is sent again after each of `settleDelaysMs`. Of a team that the token may not see, GitHub says the same for ever:
 * so the pauses are few, and all writes of one client share them. Else as `Connection.write`.
 */
export async function writeOnNew<Result>(
  { connection, settleDelaysMs }: Pick<CallSite, 'connection' | 'settleDelaysMs'>,
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

import { setTimeout as delay } from 'node:timers/promises';
import type { Octokit } from '@octokit/rest';
import type { CallSite } from './call-site.ts';
import { isTooNew } from './pull-request-refusal.ts';

/**
 * A write on what may have been created a moment ago. Where GitHub refuses it because a part of it does not know that yet, and so has done
 * nothing, it is sent again after each of `settleDelaysMs`, which all writes of one client share: for a team, that refusal can be final.
 * Else as `Connection.write`.
 */
export async function writeOnNew<Result>(
  { connection, settleDelaysMs }: Pick<CallSite, 'connection' | 'settleDelaysMs'>,
  what: string,
  request: (octokit: Octokit) => Promise<Result>,
): Promise<Result> {
  for (;;) {
    const waitMs = settleDelaysMs[0];
    const done = await connection.write<{ result: Result } | undefined>(
      what,
      async (octokit) => ({ result: await request(octokit) }),
      {
        422: (answer, error) => {
          if (waitMs === undefined || !isTooNew(answer.data)) throw error;
          return undefined;
        },
      },
    );
    if (done) return done.result;
    settleDelaysMs.shift();
    await delay(waitMs, undefined, { signal: connection.signal }).catch(() => connection.signal.throwIfAborted());
  }
}

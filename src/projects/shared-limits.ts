import { setTimeout as delay } from 'node:timers/promises';
import { Parked } from '../errors.ts';
import type { Admission, RequestToAdmit } from '../github/admission.ts';
import type { Transport } from '../github/octokit.ts';
import { inTime } from '../store/availability.ts';
import { blockInstallation, endBlock, findBlock } from '../store/installations.ts';
import type { Store } from '../store/store.ts';
import { takeTurn } from '../store/write-bucket.ts';
import { assertOver } from './assert-unblocked.ts';

/**
 * What keeps all processes together to GitHub's limits: what GitHub said to one of them is in the database, and every request is admitted
 * by what stands there. One statement for each, and one more for a write that had to wait.
 */
export function createSharedLimits({
  database,
}: Pick<Store, 'database'>): Required<Pick<Transport, 'admit' | 'onLimited' | 'onRecovered'>> {
  const readBlock = (installationId: number) =>
    inTime(database, {}, (connection) => findBlock(connection, installationId));

  async function admitWrite({ installationId, patienceMs, signal }: RequestToAdmit): Promise<Admission> {
    const turn = await inTime(database, {}, (connection) => takeTurn(connection, installationId, { patienceMs }));
    assertOver(turn.block);
    const { waitMs: waitedMs, isTaken } = turn;
    if (!isTaken) throw new Parked(new Date(Date.now() + waitedMs), 'too many writes on GitHub wait for their turn');
    if (waitedMs === 0) return { waitedMs, wasLimited: turn.block !== undefined };
    await delay(waitedMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    // Another write may have been refused meanwhile.
    const block = await readBlock(installationId);
    assertOver(block);
    return { waitedMs, wasLimited: block !== undefined };
  }

  return {
    async admit(request) {
      if (request.isWrite) return admitWrite(request);
      const block = await readBlock(request.installationId);
      assertOver(block);
      return { waitedMs: 0, wasLimited: block !== undefined };
    },
    onLimited: (installationId, until, { isStated }) =>
      blockInstallation(database, installationId, until, { isStated }),
    onRecovered: (installationId) => endBlock(database, installationId),
  };
}

import { Parked } from '../errors.ts';
import type { Admission, RequestToAdmit } from '../github/limits/admission.ts';
import type { Limit } from '../github/limits/rate-limit.ts';
import { pause } from '../pause.ts';
import { withDeadline } from '../store/postgres/availability.ts';
import type { Database } from '../store/postgres/database.ts';
import { takeWriteSlot } from '../store/schedule/take-write-slot.ts';
import { type Block, blockInstallation, endBlock, findBlock } from '../store/tables/repositories/installations.ts';
import { realTiming, type Timing } from '../timing.ts';

/** Shares GitHub's rate limits between processes: one statement per request, one more for a write that waited. */
export function createGitHubLimits({ database, timing = realTiming }: { database: Database; timing?: Timing }) {
  const readBlock = (installationId: number) =>
    withDeadline(database, {}, (connection) => findBlock(connection, installationId));

  async function admitWrite({ installationId, patienceMs, signal }: RequestToAdmit): Promise<Admission> {
    const slot = await withDeadline(database, {}, (connection) =>
      takeWriteSlot(connection, installationId, { patienceMs, everyMs: timing.writes.everyMs }),
    );
    assertBlockOver(slot.block);
    const { waitMs: waitedMs, isTaken } = slot;
    if (!isTaken) throw new Parked(new Date(Date.now() + waitedMs), 'too many writes on GitHub wait for their turn');
    if (waitedMs === 0) return { waitedMs, wasLimited: slot.block !== undefined };
    await pause(waitedMs, signal);
    // Another write may have been refused meanwhile.
    const block = await readBlock(installationId);
    assertBlockOver(block);
    return { waitedMs, wasLimited: block !== undefined };
  }

  return {
    async admit(request: RequestToAdmit): Promise<Admission> {
      if (request.isWrite) return admitWrite(request);
      const block = await readBlock(request.installationId);
      assertBlockOver(block);
      return { waitedMs: 0, wasLimited: block !== undefined };
    },
    onLimited: (installationId: number, { until, isStated }: Limit) =>
      blockInstallation(database, installationId, until, { isStated }),
    onRecovered: (installationId: number) => endBlock(database, installationId),
  };
}

/** Throws `Parked` during a rate limit: GitHub may ban an integration that ignores it. */
export async function assertUnblocked({ database }: { database: Database }, installationId: number): Promise<void> {
  assertBlockOver(await findBlock(database, installationId));
}

function assertBlockOver(block: Block | undefined): void {
  if (block && !block.isOver) throw new Parked(block.until, 'GitHub’s rate limit was reached before');
}

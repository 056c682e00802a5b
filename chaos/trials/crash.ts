import { comparedPromises } from '../compare.ts';
import type { Kind } from '../kinds.ts';
import type { Ledger } from '../ledger.ts';
import { isOfQueue, type Tried } from '../rounds.ts';
import type { Trial } from '../trial.ts';
import type { World } from '../world.ts';

/** SIGKILL at every point of these kinds of run; another worker goes on, on the same disk and on another one in turn. */
export async function tryCrashes({ world, rounds, ledger }: Trial, kinds: readonly Kind[]): Promise<void> {
  for (const [index, kind] of kinds.entries()) {
    const tried = await rounds.play([kind], {
      points: (point) => !isOfQueue(point) || kind.name === 'comment',
      async disturb(worker) {
        await worker.kill('SIGKILL');
        await world.expireLeases(worker);
        return world.spawnHeir(worker, { CLAIMS: 'open', isSameDisk: index % 2 === 0 });
      },
    });
    countTried(ledger, `crash: ${kind.name}`, tried);
  }
  countDuplicates(ledger, 'crash', world);
}

/** Counts each run as a try of what a comparison tries of its kind. */
export function countTried(ledger: Ledger, trial: string, tried: readonly Tried[]): void {
  for (const promise of comparedPromises) {
    const broken = tried.flatMap(({ point, stage, differences }) =>
      differences
        .filter((difference) => difference.promise === promise)
        .map(({ text }) => `${point}, ${stage.jobId}: ${text}`),
    );
    ledger.count(promise, trial, tried.filter((one) => isTryOf(promise, one)).length, broken);
  }
  // A person pushed into each of these: their commits have to be there, below ours.
  const beside = tried.filter(({ kind }) => kind.name === 'beside a person');
  const lost = beside.filter(({ differences }) => differences.some(({ text }) => text.startsWith('commits')));
  ledger.count(
    13,
    trial,
    beside.length,
    lost.map(({ point }) => `${point}: see above`),
  );
}

/** Who posts nothing cannot post it twice, and a first run answers no follow-up. */
function isTryOf(promise: number, { kind, outcome }: Tried): boolean {
  if (promise === 11) return outcome.writes.some((write) => write.startsWith('POST '));
  return promise !== 15 || kind.begin !== undefined;
}

/** What GitHub has twice, of all that there ever was. */
export function countDuplicates(ledger: Ledger, trial: string, { github }: World): void {
  ledger.count(1, trial, 1, github.duplicates());
}

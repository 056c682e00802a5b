import type { Ledger } from '../ledger.ts';
import type { RunKind } from './kinds/kind.ts';
import { countWorkspaces } from './leftovers.ts';
import { comparedPromises } from './rounds/compare.ts';
import { isOfQueue, type Tried } from './rounds/rounds.ts';
import type { Trial } from './trial.ts';

/** The replies that are interrupted: the eyes reaction, and that a run was cancelled. Together four points: a worker lets four replies wait. */
const answersTried: Record<string, RegExp> = {
  comment: / (give|record given) answer 1$/,
  cancelled: / (give|record given) answer 2$/,
};

/** SIGKILL at every point of these kinds of run; another worker continues, by turns on the same disk and on another. */
export async function tryCrashes(trial: Trial, kinds: readonly RunKind[]): Promise<void> {
  const { world, rounds, ledger } = trial;
  for (const [index, kind] of kinds.entries()) {
    const name = `crash: ${kind.name}`;
    let machine = '';
    const tried = await rounds.play([kind], {
      points: (point) => !isOfQueue(point) || answersTried[kind.name]?.test(point) === true,
      async disturb(worker) {
        await worker.kill('SIGKILL');
        await world.expireLeases(worker);
        const heir = await world.spawnHeir(worker, { CLAIMS: 'open', isSameDisk: index % 2 === 0 });
        machine = heir.machine;
        return heir;
      },
    });
    countTried(ledger, name, tried);
    const isUntried = answersTried[kind.name] && !tried.some(({ point }) => isOfQueue(point));
    if (isUntried) throw new Error(`no answer of ${kind.name} was interrupted`);
    await countWorkspaces(trial, name, machine);
  }
}

/** Counts each run as one try of every promise that its comparison tests. */
export function countTried(ledger: Ledger, trial: string, tried: readonly Tried[]): void {
  for (const promise of comparedPromises) {
    const broken = tried.flatMap(({ point, trialJob, differences }) =>
      differences
        .filter((difference) => difference.promise === promise)
        .map(({ text }) => `${point}, ${trialJob.jobId}: ${text}`),
    );
    ledger.count(promise, trial, tried.filter((one) => isTryOf(promise, one)).length, broken);
  }
}

/** A run that posts nothing cannot post twice; without other commits nothing can be overwritten; a first run answers no follow-up. */
function isTryOf(promise: number, { kind, outcome }: Tried): boolean {
  if (promise === 11) return outcome.writes.some((write) => write.startsWith('POST '));
  if (promise === 13) return kind.filesOfPeople !== undefined;
  return promise !== 15 || kind.begin !== undefined;
}

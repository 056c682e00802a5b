import { onBusyMachine } from '../../harness/on-busy-machine.ts';
import { createRandom } from '../../harness/random.ts';
import type { Ledger } from '../ledger.ts';
import type { Session } from '../session.ts';
import { tryBodies, tryBrokenRequests, tryForeignIds, tryOperatorPages } from './families/api.ts';
import { tryHiddenComments, tryStrangers } from './families/comments.ts';
import { tryForeignPages, tryPageTexts, trySessions } from './families/dashboard.ts';
import { tryDataFiles } from './families/data-files.ts';
import { tryPaths } from './families/models.ts';
import { tryNavigationCode } from './families/navigation-code.ts';
import { tryPages } from './families/pages.ts';
import { tryRepositories } from './families/repositories.ts';
import { tryKeptSecrets, tryOwnSecrets, tryPublishedKeys } from './families/secrets.ts';
import { tryHeavyTexts, tryUnreadAnswers } from './families/silence.ts';
import { tryForgeries, tryHeldConnections, tryPayloads, tryReplays, tryUnsignedBodies } from './families/webhooks.ts';
import { tryChecks, tryWords } from './families/words.ts';
import type { Trial } from './trial.ts';
import { openWorld, type World } from './world/world.ts';

/** The trials of each family, by the name that `--only` takes. */
export const families: Record<string, readonly ((trial: Trial) => Promise<void>)[]> = {
  repositories: [tryRepositories],
  api: [tryForeignIds, tryBodies, tryBrokenRequests, tryOperatorPages],
  webhooks: [tryForgeries, tryPayloads, tryReplays, tryUnsignedBodies, tryHeldConnections],
  comments: [tryStrangers, tryHiddenComments],
  secrets: [tryPublishedKeys, tryKeptSecrets, tryOwnSecrets],
  models: [tryPaths, tryDataFiles, tryPages, tryNavigationCode],
  words: [tryWords, tryChecks],
  silence: [tryUnreadAnswers, tryHeavyTexts],
  dashboard: [tryPageTexts, trySessions, tryForeignPages],
};

/** Tries one family. The same seed and size draw the same tries, even beside other families. */
export async function tryFamily(
  family: string,
  { world, ledger, seed, size }: { world: World; ledger: Ledger; seed: number; size: number },
): Promise<void> {
  const place = Object.keys(families).indexOf(family);
  for (const [index, tryAll] of (families[family] ?? []).entries()) {
    world.health.take();
    await tryAll({ world, ledger, random: createRandom(seed * 10_000 + place * 100 + index), size });
    const { count, failed, slowestMs } = world.health.take();
    console.log(`  ${tryAll.name}: the slowest of ${count} answers of /livez took ${slowestMs} ms`);
    const isWell = failed === 0 && slowestMs < onBusyMachine(1_000);
    const text = `${failed} of ${count} questions for /livez failed, the slowest answer took ${slowestMs} ms`;
    ledger.count(7, `${family}: /livez`, 1, isWell ? [] : [text]);
  }
}

/** Runs the chosen families, one after the other in one world. */
export async function runHostile(
  { chosen, ledger, seed, go, judge }: Session,
  { size }: { size: number },
): Promise<void> {
  await using world = await openWorld();
  for (const name of chosen) await go(name, () => tryFamily(name, { world, ledger, seed, size }));
  judge(world);
}

import type { RunKind } from './kinds/kind.ts';
import { allKinds, cancelledRun, firstRun, laterKinds } from './kinds/kinds.ts';
import { tryAutomations } from './trials/automations.ts';
import { tryCloses } from './trials/closes.ts';
import { tryCrashes } from './trials/crash.ts';
import { tryDeliveries } from './trials/deliveries.ts';
import { tryDeploys } from './trials/deploys.ts';
import { countDuplicates } from './trials/duplicates.ts';
import { tryEnds } from './trials/ends.ts';
import { tryFairness } from './trials/fairness.ts';
import { tryFreezes } from './trials/freeze.ts';
import { tryKills } from './trials/kills.ts';
import { countLeftovers } from './trials/leftovers.ts';
import { countWrites, tryLimits } from './trials/limits.ts';
import { tryNetwork } from './trials/network.ts';
import { tryOutages } from './trials/outage.ts';
import { tryRecoveries } from './trials/recovery.ts';
import { tryAcceptance } from './trials/requests/acceptance.ts';
import { tryRetries } from './trials/requests/retries.ts';
import { tryStatements } from './trials/requests/statements.ts';
import { tryStarts } from './trials/starts.ts';
import type { Trial } from './trials/trial.ts';
import { tryUpgrade } from './trials/upgrade/upgrade.ts';
import { tryWebhooks } from './trials/webhooks.ts';
import { tryWorkers } from './trials/workers.ts';

const named = (name: string): RunKind => {
  const kind = laterKinds.find((known) => known.name === name);
  if (!kind) throw new Error(`no kind of run named ${name}`);
  return kind;
};
const followUp = named('follow-up');
const review = named('review');

/** `signal` ends the kills early; `onLeft` then gets the skipped ones. */
interface Given {
  kills: number;
  signal: AbortSignal;
  onLeft: (what: string) => void;
}

/** The trials of one lane run in this order. */
export const trials: Record<string, (trial: Trial, given: Given) => Promise<unknown>> = {
  starts: (trial) => tryStarts(trial, { count: 8 }),
  crash: (trial) => tryCrashes(trial, [...allKinds, cancelledRun]),
  freeze: (trial) => tryFreezes(trial, [firstRun, review]),
  workers: (trial) => tryWorkers(trial, { count: 20, seconds: 8 }),
  recovery: (trial) => tryRecoveries(trial, { count: 6 }),
  deploys: (trial) => tryDeploys(trial, { restarts: 10 }),
  upgrade: (trial) => tryUpgrade(trial),
  acceptance: (trial) => tryAcceptance(trial, { times: 3 }),
  retries: (trial, { signal }) => tryRetries(trial, { kills: 20, signal }),
  statements: (trial, { signal, onLeft }) => tryStatements(trial, { kills: 200, signal, onLeft }),
  webhooks: (trial, { signal }) => tryWebhooks(trial, { kills: 12, signal }),
  outage: async (trial) => {
    await tryOutages(trial, { kinds: [firstRun, review], seconds: 4 });
    await tryOutages(trial, { kinds: [firstRun, followUp], seconds: 60 });
  },
  network: (trial) => tryNetwork(trial, { seconds: 16 }),
  closes: (trial) => tryCloses(trial, followUp),
  deliveries: (trial) => tryDeliveries(trial),
  automations: (trial) => tryAutomations(trial),
  ends: (trial) => tryEnds(trial),
  limits: (trial) => tryLimits(trial, { times: 3 }),
  fairness: (trial) => tryFairness(trial, { queued: 100 }),
  kills: (trial, { kills, ...given }) => tryKills(trial, { count: kills, ...given }),
};

/** Trials that spend most of their time waiting. */
const patient = ['acceptance', 'retries', 'statements', 'webhooks', 'deliveries', 'automations', 'ends'];

/** Several run at once, each in its own world. */
export const lanes: readonly string[][] = [
  Object.keys(trials).filter((name) => name !== 'kills' && !patient.includes(name)),
  patient,
  ['kills'],
];

/** Checks at the end of a world, over everything that happened in it. */
export async function checkWorld(trial: Trial): Promise<void> {
  countDuplicates(trial);
  countWrites(trial);
  await countLeftovers(trial);
}

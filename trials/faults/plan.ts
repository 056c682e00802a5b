import type { Session } from '../session.ts';
import { tryCloses } from './closes.ts';
import { tryCrashes } from './crash.ts';
import { tryDeliveries } from './deliveries.ts';
import { tryDeploys } from './deploys.ts';
import { tryEnds } from './ends.ts';
import { tryFairness } from './fairness.ts';
import { tryFreezes } from './freeze.ts';
import { tryKills } from './kills.ts';
import type { RunKind } from './kinds/kind.ts';
import { allKinds, cancelledRun, firstRun, laterKinds } from './kinds/kinds.ts';
import { countLeftovers } from './leftovers.ts';
import { countWrites, tryLimits } from './limits.ts';
import { tryNetwork } from './network.ts';
import { tryOutages } from './outage.ts';
import { tryRecoveries } from './recovery.ts';
import { tryAcceptance } from './requests/acceptance.ts';
import { tryRetries } from './requests/retries.ts';
import { tryStatements } from './requests/statements.ts';
import { createRounds } from './rounds/rounds.ts';
import { tryStarts } from './starts.ts';
import { tryAutomations } from './steps/automations.ts';
import { tryChecks } from './steps/checks.ts';
import { tryContext } from './steps/context.ts';
import { tryFollowThrough } from './steps/follow-through.ts';
import { tryMentions } from './steps/mentions.ts';
import type { Trial } from './trial.ts';
import { tryUpgrade } from './upgrade/upgrade.ts';
import { tryWebhooks } from './webhooks.ts';
import { tryWorkers } from './workers.ts';
import { openWorld } from './world/world.ts';

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
  context: (trial) => tryContext(trial),
  checks: (trial) => tryChecks(trial),
  mentions: (trial) => tryMentions(trial),
  'follow-through': (trial) => tryFollowThrough(trial),
  ends: (trial) => tryEnds(trial),
  limits: (trial) => tryLimits(trial, { times: 3 }),
  fairness: (trial) => tryFairness(trial, { queued: 100 }),
  kills: (trial, { kills, ...given }) => tryKills(trial, { count: kills, ...given }),
};

/** Trials that spend most of their time waiting. */
const patient = [
  'acceptance',
  'retries',
  'statements',
  'webhooks',
  'deliveries',
  'automations',
  'context',
  'checks',
  'mentions',
  'follow-through',
  'ends',
];

/** Several run at once, each in its own world. */
const lanes: readonly string[][] = [
  Object.keys(trials).filter((name) => name !== 'kills' && !patient.includes(name)),
  patient,
  ['kills'],
];

/** Runs the chosen trials. The signal ends the session between two of them. */
export async function runFaults(session: Session, given: { kills: number; signal: AbortSignal }): Promise<void> {
  const chosen = lanes.map((lane) => lane.filter((name) => session.chosen.includes(name)));
  await Promise.all(chosen.filter((lane) => lane.length > 0).map((lane) => goThrough(lane, session, given)));
}

async function goThrough(
  lane: readonly string[],
  { ledger, seed, go, judge, onLeft }: Session,
  given: { kills: number; signal: AbortSignal },
): Promise<void> {
  await using world = await openWorld();
  const trial = { world, rounds: createRounds(world), ledger, seed };
  let isWhole = true;
  for (const name of lane) {
    // Leftovers of one that failed would count against the next.
    if (!isWhole || given.signal.aborted) onLeft(name);
    else isWhole = await go(name, async () => trials[name]?.(trial, { ...given, onLeft }));
  }
  if (isWhole) await go('final checks', () => checkWorld(trial));
  judge(world);
}

/** Checks at the end of a world, over everything that happened in it. */
export async function checkWorld(trial: Trial): Promise<void> {
  trial.ledger.count(1, 'duplicates', 1, trial.world.github.duplicates());
  countWrites(trial);
  await countLeftovers(trial);
}

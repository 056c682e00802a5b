import { expect } from 'vitest';
import { ourLogin } from './create-parts.ts';
import type { Death } from './hand-worker.ts';
import { workOff } from './hear.ts';
import type { LiveJob } from './live-job.ts';
import { archive, endRun, isWaiting, type Model, outcomeOf, take } from './model.ts';
import { isChange, type Outcome } from './publish-by-hand.ts';

export interface Wish {
  outcome: Outcome;
  /** Another turn before the agent is done. */
  isThinking: boolean;
  isAnswerLost: boolean;
  death: Death | undefined;
}

/** The next thing that a worker does: looks for work, lets the agent take a turn or come to an end, publishes. */
export async function takeStep(model: Model, live: LiveJob, { outcome, isThinking, ...fate }: Wish): Promise<void> {
  if (model.worker === 'none' || model.worker === 'dead') return claim(model, live);
  if (model.at === 'publishing') return publish(model, live, fate);
  await (isThinking ? live.worker.turn() : live.worker.freeze(outcome));
  if (model.worker === 'lost') model.worker = 'none';
  else if (model.isStopRequested) endRun(model, 'failed');
  else if (isThinking) {
    take(model);
    model.takeovers = 0;
  } else Object.assign(model, { run: 'publishing', at: 'publishing', outcome });
}

async function claim(model: Model, live: LiveJob): Promise<void> {
  const isDue = model.status === 'active';
  expect(await live.worker.claim(), 'something was due').toBe(isDue);
  if (!isDue) return;
  const isTakeover = model.worker === 'dead' && model.run !== 'none';
  if (isTakeover) model.takeovers += 1;
  if (model.takeovers >= 3) return endRun(model, 'failed');
  if (model.run === 'none') {
    expect(isWaiting(model), 'a job without a run is active because a message waits').toBe(true);
    take(model);
    model.run = 'working';
  }
  Object.assign(model, { worker: 'holds', at: model.run });
  if (model.run === 'working' && model.isStopRequested) endRun(model, 'failed');
  expect(new Set(await live.worker.wakeFrozen()), 'a worker that was frozen can write').not.toContain('wrote');
}

async function publish(model: Model, live: LiveJob, fate: Pick<Wish, 'isAnswerLost' | 'death'>): Promise<void> {
  const { outcome = 'change', worker } = model;
  const before = live.pullRequest();
  const isClosed = before?.state === 'closed' && (before.mergedAt !== null || before.closedBy?.login !== ourLogin);
  const isArchiving = isChange(outcome) && isClosed && live.worker.knowsPullRequest();
  const step = await live.worker.publish(fate);
  if (worker === 'lost') model.worker = 'none';
  else if (step === 'died') model.worker = 'dead';
  else if (!isArchiving) endRun(model, outcomeOf(outcome));
  else {
    archive(model, 'closed');
    model.worker = 'none';
  }
}

/** The worker's process goes away: told to, or all of a sudden. */
export async function loseWorker(model: Model, live: LiveJob, { isTold }: { isTold: boolean }): Promise<void> {
  await (isTold ? live.worker.handOver() : live.worker.die());
  model.worker = isTold || model.worker === 'lost' ? 'none' : 'dead';
}

/** A step that goes as it should. */
export const plain = { outcome: 'change', isThinking: false, isAnswerLost: false, death: undefined } as const;

/** Opens the job's pull request, as the first run does when nothing comes between. */
export async function openPullRequest(model: Model, live: LiveJob, fate: Partial<Wish> = {}): Promise<void> {
  for (let steps = 0; steps < 3; steps += 1) await takeStep(model, live, { ...plain, ...fate });
}

/** Until everything was delivered, every entry was worked off, and every run has ended. */
export async function comeToRest(model: Model, live: LiveJob): Promise<void> {
  for (let rounds = 0; ; rounds += 1) {
    if (rounds > 500) throw new Error('it does not come to rest');
    const delivery = live.untold().shift();
    if (delivery) {
      await live.deliver(delivery);
      continue;
    }
    const entry = live.entries.shift();
    if (entry) {
      await workOff(model, live, entry);
      continue;
    }
    if (model.status !== 'active' && model.worker !== 'lost') return;
    await takeStep(model, live, { ...plain, outcome: 'unchanged' });
  }
}

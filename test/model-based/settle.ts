import { workOff } from './hear.ts';
import type { LiveJob } from './live-job.ts';
import type { Model } from './model.ts';
import { takeStep, type Wish } from './take-step.ts';

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
    const delivery = live.untold.shift();
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

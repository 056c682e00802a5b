import { realTiming, type Timing } from '../src/timing.ts';

/** For services in a test's process: waits that no test is about are short. Each promise with a pace has one test with `realTiming`. */
export const shortTiming: Timing = {
  ...realTiming,
  claims: { ...realTiming.claims, lookEveryMs: 250 },
  context: { ...realTiming.context, consentHoldsMs: 0 },
  writes: { ...realTiming.writes, everyMs: 20 },
  github: {
    ...realTiming.github,
    retryDelaysMs: [50, 150],
    settleDelaysMs: [50, 100, 200, 400],
    replicationDelaysMs: [25, 75, 150],
    readyDelaysMs: [50, 100, 200, 400],
  },
  deliveries: {
    ...realTiming.deliveries,
    olderCommentMs: 400,
    lookForOlderEveryMs: 40,
    reviewMs: 400,
    remarkMs: 800,
  },
  checks: { ...realTiming.checks, settleMs: 300, askBaseMs: 300 },
  // pg-boss's minimum.
  queue: { ...realTiming.queue, pollEveryMs: 500, schedulePollEveryMs: 500 },
  model: { ...realTiming.model, backoffMs: 50 },
};

import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { benchCalls } from './benches/calls.ts';
import { benchBackup } from './benches/capacity/backup.ts';
import { benchClaims } from './benches/capacity/claims.ts';
import { benchFlat } from './benches/capacity/flat.ts';
import { benchLists } from './benches/capacity/lists.ts';
import { benchMemory } from './benches/capacity/memory.ts';
import { benchMillion } from './benches/capacity/million.ts';
import { benchMirrors } from './benches/capacity/mirrors.ts';
import { benchScale } from './benches/capacity/scale.ts';
import { benchSimulate } from './benches/capacity/simulate.ts';
import { benchSizes } from './benches/capacity/sizes.ts';
import { benchTokens } from './benches/capacity/tokens.ts';
import { benchChecks } from './benches/checks.ts';
import { benchEventLoop } from './benches/event-loop.ts';
import { benchEvents } from './benches/events.ts';
import { benchFairness } from './benches/fairness.ts';
import { benchIdempotency } from './benches/idempotency.ts';
import { benchOutbound } from './benches/outbound.ts';
import { benchOverhead } from './benches/overhead.ts';
import { benchPages } from './benches/pages.ts';
import { benchPickUp } from './benches/pick-up.ts';
import { benchPolicy } from './benches/policy.ts';
import { benchRecovery } from './benches/recovery.ts';
import { benchRefusals } from './benches/refusals.ts';
import { benchReview } from './benches/review.ts';
import { benchSecrets } from './benches/secrets.ts';
import { benchSeededFaults } from './benches/seeded-faults.ts';
import { benchShare } from './benches/share.ts';
import { benchTexts } from './benches/texts.ts';
import { benchThroughput } from './benches/throughput.ts';
import { benchWebhooks } from './benches/webhooks.ts';
import { benchWorkspace } from './benches/workspace.ts';
import { type Figure, formatTable } from './figures/figure.ts';

const { positionals: args, values: options } = readArguments();
/** `flat 200` runs 200 jobs in place of a thousand; `backup 100` takes 100 MB in place of a thousand; `scale 1 2` starts one worker, then two. */
const counts = args.map(Number).filter((count) => count > 0);

const benches: Record<string, () => Promise<Figure[]>> = {
  'pick-up': benchPickUp,
  webhooks: async () => [...(await benchWebhooks()), ...(await benchOutbound())],
  review: benchReview,
  events: benchEvents,
  calls: benchCalls,
  overhead: benchOverhead,
  share: benchShare,
  workspace: benchWorkspace,
  mirrors: benchMirrors,
  policy: benchPolicy,
  checks: benchChecks,
  secrets: benchSecrets,
  texts: benchTexts,
  throughput: benchThroughput,
  idempotency: benchIdempotency,
  fairness: benchFairness,
  'event-loop': benchEventLoop,
  recovery: benchRecovery,
  memory: benchMemory,
  claims: benchClaims,
  scale: () => benchScale(counts),
  simulate: () => benchSimulate(counts),
  sizes: benchSizes,
  tokens: benchTokens,
  lists: benchLists,
  pages: benchPages,
  million: benchMillion,
  backup: () => benchBackup(counts[0]),
  flat: () => benchFlat(counts[0]),
  refusals: () => benchRefusals({ repo: options.repo, commits: Number(options.commits) }),
  'seeded-faults': () =>
    benchSeededFaults({ repo: options.repo, times: Number(options.times), seed: Number(options.seed) }),
};

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        // Of seeded-faults and refusals: another repository; of seeded-faults: how often each kind is seeded, and the seed.
        repo: { type: 'string' },
        times: { type: 'string', default: '5' },
        seed: { type: 'string', default: '1' },
        // Of refusals: how many commits, from the newest back.
        commits: { type: 'string', default: '50' },
      },
    });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

const wanted = args.filter((name) => !/^\d+$/.test(name));
const unknown = wanted.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  console.error(`unknown bench: ${unknown.join(', ')}. Benches: ${Object.keys(benches).join(', ')}`);
  process.exit(1);
}

const [load = 0] = loadavg();
console.log(
  `${availableParallelism()} cores, load ${load.toFixed(1)}; other load on the machine distorts the figures\n`,
);
// One after the other, so that they do not slow each other.
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(name);
  for (const line of formatTable(await bench())) console.log(`  ${line}`);
}

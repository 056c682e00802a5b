import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { benchAutomations } from './benches/automations.ts';
import { benchBackup } from './benches/backup.ts';
import { benchChecks } from './benches/checks.ts';
import { benchContext } from './benches/context.ts';
import { benchEvents } from './benches/events.ts';
import { benchFlat } from './benches/flat.ts';
import { benchMemory } from './benches/memory.ts';
import { benchMillion } from './benches/million.ts';
import { benchOverhead } from './benches/overhead.ts';
import { benchPages } from './benches/pages.ts';
import { benchPickUp } from './benches/pick-up.ts';
import { benchPullRequestChecks } from './benches/pull-request-checks.ts';
import { benchRecovery } from './benches/recovery.ts';
import { benchRefusals } from './benches/refusals.ts';
import { benchReplay } from './benches/replay.ts';
import { benchScale } from './benches/scale.ts';
import { benchScanner } from './benches/scanner.ts';
import { benchSeededFaults } from './benches/seeded-faults.ts';
import { benchThroughput } from './benches/throughput.ts';
import { benchTokens } from './benches/tokens.ts';
import { benchWebhooks } from './benches/webhooks.ts';
import { type Figure, formatTable } from './figures/figure.ts';

const { positionals: args, values: options } = readArguments();
/** `flat 200` runs 200 jobs in place of a thousand; `backup 100` takes 100 MB in place of a thousand; `context 200` 200 MB in place of 2,000; `scale 1 2` starts one worker, then two. */
const counts = args.map(Number).filter((count) => count > 0);

const benches: Record<string, () => Promise<Figure[]>> = {
  'pick-up': benchPickUp,
  recovery: benchRecovery,
  webhooks: benchWebhooks,
  events: benchEvents,
  throughput: benchThroughput,
  overhead: benchOverhead,
  automations: benchAutomations,
  context: () => benchContext(counts[0]),
  scanner: () => benchScanner({ repo: options.repo }),
  refusals: () => benchRefusals({ repo: options.repo, commits: Number(options.commits) }),
  replay: () => benchReplay({ repo: options.repo, commits: Number(options.commits), verdicts: options.verdicts }),
  checks: () => benchChecks({ repo: options.repo }),
  'pull-request-checks': benchPullRequestChecks,
  'seeded-faults': () =>
    benchSeededFaults({ repo: options.repo, times: Number(options.times), seed: Number(options.seed) }),
  pages: benchPages,
  memory: benchMemory,
  flat: () => benchFlat(counts[0]),
  scale: () => benchScale(counts),
  tokens: benchTokens,
  million: benchMillion,
  backup: () => benchBackup(counts[0]),
};

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        // Of scanner, checks, seeded-faults, refusals and replay: another repository; of seeded-faults: how often each kind is seeded, and the seed.
        repo: { type: 'string' },
        times: { type: 'string', default: '5' },
        seed: { type: 'string', default: '1' },
        // Of refusals and replay: how many commits, from the newest back.
        commits: { type: 'string', default: '50' },
        // Of replay: a file with what people judged.
        verdicts: { type: 'string' },
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

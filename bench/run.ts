import { availableParallelism, loadavg } from 'node:os';
import { benchCalls } from './calls.ts';
import { type Figure, formatTable } from './figure.ts';
import { benchOverhead } from './overhead.ts';
import { benchPickUp } from './pick-up.ts';
import { benchReview } from './review.ts';
import { benchThroughput } from './throughput.ts';
import { benchWebhooks } from './webhooks.ts';
import { benchWorkspace } from './workspace.ts';

const benches: Record<string, () => Promise<Figure[]>> = {
  'pick-up': benchPickUp,
  webhooks: benchWebhooks,
  review: benchReview,
  calls: benchCalls,
  overhead: benchOverhead,
  workspace: benchWorkspace,
  throughput: benchThroughput,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  console.error(`no bench is named ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}`);
  process.exit(1);
}

const [load = 0] = loadavg();
console.log(
  `${availableParallelism()} cores, load ${load.toFixed(1)}; a machine that does other things measures those as well\n`,
);
// One after the other: they would measure each other.
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(name);
  for (const line of formatTable(await bench())) console.log(`  ${line}`);
}

import { parseArgs } from 'node:util';
import { createLedger } from './ledger.ts';
import { trials } from './plan.ts';
import { formatLedger } from './report.ts';
import { createRounds } from './rounds.ts';
import { openWorld } from './world.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '20' },
    kills: { type: 'string', default: '200' },
    only: { type: 'string', default: '' },
  },
});
const wanted = values.only.split(',').filter(Boolean);
const unknown = wanted.filter((name) => !Object.hasOwn(trials, name));
const [seed, minutes, kills] = [values.seed, values.minutes, values.kills].map(Number);
if (unknown.length > 0 || !Number.isInteger(seed) || !Number.isInteger(kills) || !(Number(minutes) > 0)) {
  console.error(
    `usage: npm run chaos -- [--seed N] [--minutes M] [--kills K] [--only ${Object.keys(trials).join(',')}]`,
  );
  process.exit(2);
}

const began = performance.now();
const passed = () => `${((performance.now() - began) / 60_000).toFixed(1)} min`;
const ledger = createLedger({
  onViolation: ({ promise, trial, text }) => console.log(`  BROKEN: promise ${promise} (${trial}): ${text}`),
});
await using world = await openWorld();
const trial = { world, rounds: createRounds(world), ledger, seed: seed ?? 1 };
const signal = AbortSignal.timeout(Number(minutes) * 60_000);
const left: string[] = [];
let brokenOff: string | undefined;
for (const [name, make] of Object.entries(trials)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  if (signal.aborted) {
    left.push(name);
    continue;
  }
  console.log(`${passed()}  ${name}`);
  try {
    await make(trial, { kills: kills ?? 200, signal });
  } catch (error) {
    // What it left behind would be held against the trials after it.
    console.error(error);
    brokenOff = name;
    break;
  }
}
console.log(`\n${formatLedger(ledger).join('\n')}\n`);
console.log(`seed ${seed}, ${passed()}, ${ledger.violations.length} violations`);
if (left.length > 0) console.log(`no time was left for ${left.join(', ')}`);
if (brokenOff) console.log(`${brokenOff} could not be ended, and nothing after it was tried`);
if (ledger.violations.length > 0 || brokenOff) {
  process.exitCode = 1;
  world.keep();
  console.log(`logs, database and repositories are kept in ${world.directory}`);
}

import { parseArgs } from 'node:util';
import { formatLedger } from '../harness/trials/format-ledger.ts';
import { createLedger } from '../harness/trials/ledger.ts';
import { checkWorld, lanes, trials } from './plan.ts';
import { createRounds } from './rounds/rounds.ts';
import { openWorld } from './world/world.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '20' },
    kills: { type: 'string', default: '200' },
    only: { type: 'string', default: '' },
  },
});
const selected = values.only.split(',').filter(Boolean);
const unknown = selected.filter((name) => !Object.hasOwn(trials, name));
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
const signal = AbortSignal.timeout(Number(minutes) * 60_000);
const left: string[] = [];
const brokenOff: string[] = [];

async function goThroughOne(name: string, make: () => Promise<unknown>): Promise<boolean> {
  console.log(`${passed()}  ${name}`);
  try {
    await make();
  } catch (error) {
    console.error(error);
    brokenOff.push(name);
    return false;
  }
  console.log(`${passed()}  ${name} ended`);
  return true;
}

async function goThrough(names: readonly string[]): Promise<void> {
  await using world = await openWorld();
  const trial = { world, rounds: createRounds(world), ledger, seed: seed ?? 1 };
  let isWhole = true;
  for (const name of names) {
    if (signal.aborted) {
      left.push(name);
      continue;
    }
    const options = { kills: kills ?? 200, signal, onLeft: (what: string) => left.push(what) };
    isWhole = await goThroughOne(name, async () => trials[name]?.(trial, options));
    // Leftovers would count against the next trials.
    if (!isWhole) break;
  }
  isWhole &&= await goThroughOne('final checks', () => checkWorld(trial));
  if (isWhole && ledger.violations.length === 0) return;
  world.keep();
  console.log(`logs, database and repositories are kept in ${world.directory}`);
}

const chosen = lanes.map((lane) => lane.filter((name) => selected.length === 0 || selected.includes(name)));
await Promise.all(chosen.filter((lane) => lane.length > 0).map(goThrough));
console.log(`\n${formatLedger(ledger).join('\n')}\n`);
console.log(`seed ${seed}, ${passed()}, ${ledger.violations.length} violations`);
if (left.length > 0) console.log(`out of time before ${left.join(', ')}`);
for (const name of brokenOff) console.log(`${name} failed to finish; the trials after it were skipped`);
process.exitCode = ledger.violations.length + brokenOff.length > 0 ? 1 : 0;

import { parseArgs } from 'node:util';
import { formatLedger, promises } from '../harness/trials/format-ledger.ts';
import { createLedger } from '../harness/trials/ledger.ts';
import { families, tryFamily } from './families.ts';
import { openWorld } from './world/world.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    tries: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
    short: { type: 'boolean', default: false },
  },
});
const selected = values.only.split(',').filter(Boolean);
const isKnown = selected.every((name) => Object.hasOwn(families, name));
const seed = Number(values.seed);
const size = Number(values.tries || (values.short ? 40 : 300));
if (positionals.join() !== 'hostile' || !isKnown || !Number.isInteger(seed) || !(size > 0)) {
  console.error(
    `usage: npm run trials -- hostile [--seed N] [--only ${Object.keys(families).join(',')}] [--tries N of each kind] [--short]`,
  );
  process.exit(2);
}

const began = performance.now();
const passed = () => `${((performance.now() - began) / 1_000).toFixed(0)} s`;
const ledger = createLedger({
  onViolation: ({ promise, trial, text }) => console.log(`  BROKEN: promise ${promise} (${trial}): ${text}`),
});
const brokenOff: string[] = [];

await using world = await openWorld();
for (const name of Object.keys(families).filter((known) => selected.length === 0 || selected.includes(known))) {
  console.log(`${passed()}  ${name}`);
  await tryFamily(name, { world, ledger, seed, size }).catch((error: unknown) => {
    console.error(error);
    brokenOff.push(name);
  });
}
if (brokenOff.length + ledger.violations.length > 0) {
  world.keep();
  console.log(`logs and repositories are kept in ${world.directory}`);
}
const tries = Object.keys(promises).reduce((sum, promise) => sum + ledger.tries(Number(promise)), 0);
console.log(`\n${formatLedger(ledger).join('\n')}\n`);
console.log(`seed ${seed}, ${passed()}, ${tries} tries, ${ledger.violations.length} violations`);
for (const name of brokenOff) console.log(`${name} failed to finish`);
process.exitCode = ledger.violations.length + brokenOff.length > 0 ? 1 : 0;

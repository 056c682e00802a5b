import { parseArgs } from 'node:util';
import { runFaults, trials } from './faults/plan.ts';
import { families, runHostile } from './hostile/families.ts';
import { createLedger, formatLedger, promises } from './ledger.ts';
import { builderNames, runPages } from './pages/run-pages.ts';
import type { Session } from './session.ts';

const names = { faults: Object.keys(trials), hostile: Object.keys(families), pages: builderNames };
const { values, positionals } = readArguments();
const suite = positionals.find((name) => name === 'faults' || name === 'hostile' || name === 'pages');
const [seed, minutes, kills] = [values.seed, values.minutes, values.kills].map(Number);
const size = Number(values.tries || (values.short ? 40 : 300));
const selected = values.only.split(',').filter(Boolean);
const known = names[suite ?? 'hostile'];
const isRight = selected.every((name) => known.includes(name)) && Number(minutes) > 0 && size > 0;
if (!suite || positionals.length > 1 || !isRight || !Number.isInteger(seed) || !Number.isInteger(kills)) showUsage();

const began = performance.now();
const passed = () => `${((performance.now() - began) / 60_000).toFixed(1)} min`;
const ledger = createLedger({
  onViolation: ({ promise, trial, text }) => console.log(`  BROKEN: promise ${promise} (${trial}): ${text}`),
});
const left: string[] = [];
const brokenOff: string[] = [];

const session: Session = {
  ledger,
  seed: seed ?? 1,
  chosen: known.filter((name) => selected.length === 0 || selected.includes(name)),
  onLeft: (what) => left.push(what),
  async go(name, work) {
    console.log(`${passed()}  ${name}`);
    try {
      await work();
    } catch (error) {
      console.error(error);
      brokenOff.push(name);
      return false;
    }
    console.log(`${passed()}  ${name} ended`);
    return true;
  },
  judge(world) {
    if (ledger.violations.length + brokenOff.length === 0) return;
    world.keep();
    console.log(`logs, database and repositories are kept in ${world.directory}`);
  },
};
if (suite === 'pages') await runPages(session, { size: Number(values.tries || 10_000), packages: values.packages });
else if (suite === 'hostile') await runHostile(session, { size });
else await runFaults(session, { kills: kills ?? 200, signal: AbortSignal.timeout(Number(minutes) * 60_000) });

const tries = Object.keys(promises).reduce((sum, promise) => sum + ledger.tries(Number(promise)), 0);
console.log(`\n${formatLedger(ledger).join('\n')}\n`);
console.log(`seed ${seed}, ${passed()}, ${tries} tries, ${ledger.violations.length} violations`);
if (left.length > 0) console.log(`out of time before ${left.join(', ')}`);
for (const name of brokenOff) console.log(`${name} failed to finish`);
process.exitCode = ledger.violations.length + brokenOff.length > 0 ? 1 : 0;

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        seed: { type: 'string', default: '1' },
        only: { type: 'string', default: '' },
        minutes: { type: 'string', default: '20' },
        kills: { type: 'string', default: '200' },
        tries: { type: 'string', default: '' },
        packages: { type: 'string', default: '' },
        short: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return showUsage();
  }
}

function showUsage(): never {
  console.error(
    `usage: npm run chaos -- [--seed N] [--minutes M] [--kills K] [--only ${names.faults.join(',')}]
       npm run trials -- hostile [--seed N] [--only ${names.hostile.join(',')}] [--tries N of each kind] [--short]
       npm run trials -- pages [--seed N] [--only ${names.pages.join(',')}] [--tries N of each builder] [--packages DIR]`,
  );
  process.exit(2);
}

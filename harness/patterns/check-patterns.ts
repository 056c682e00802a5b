import { join } from 'node:path';
import { findPatternFaults } from './find-pattern-faults.ts';
import { listPatterns } from './list-patterns.ts';

const root = join(import.meta.dirname, '../..');
const patterns = listPatterns(root, 'src');
const faults = findPatternFaults(patterns);
for (const fault of faults) console.error(fault);
if (faults.length > 0) {
  console.error(
    'Make each pattern linear: let loops that follow each other read different characters, begin a loop behind a lookbehind, or limit it.\n' +
      'Where the text cannot be so, list the pattern with the proof in harness/patterns/exceptions.ts.',
  );
  process.exitCode = 1;
} else console.log(`Checked ${patterns.length} regular expressions: each one is linear.`);

import { expect, test } from 'vitest';
import { findPatternFaults } from '../../../harness/patterns/find-pattern-faults.ts';
import { listPatternsOf } from '../../../harness/patterns/list-patterns.ts';

const file = 'src/sample.ts';
const none = { proven: [], built: [] };

test('each literal of the code is checked, and a pattern that the code builds must be known', () => {
  const patterns = listPatternsOf(
    file,
    'const fast: RegExp = /^a+$/;\nconst slow = /a+$/;\nconst built = new RegExp(name, "i");',
  );
  expect(findPatternFaults(patterns, none)).toEqual([
    'src/sample.ts:2: /a+$/: its time grows with the text to the power of 2',
    'src/sample.ts:3: new RegExp(name, "i") is not in harness/patterns/exceptions.ts',
  ]);
});

test('a proven pattern passes, and a built one as the patterns that it is like', () => {
  const patterns = listPatternsOf(file, 'const slow = /a+$/; const built = RegExp(name);');
  const built = { file, code: 'RegExp(name)' };
  const proven = [{ file, pattern: /a+$/, proof: 'The text has ten characters.' }];
  expect(findPatternFaults(patterns, { proven, built: [{ ...built, like: [/^b+$/] }] })).toEqual([]);
  expect(findPatternFaults(patterns, { proven, built: [{ ...built, like: [/b+$/] }] })).toEqual([
    'src/sample.ts:1: /b+$/: its time grows with the text to the power of 2',
  ]);
});

test('an exception that no pattern needs is a fault', () => {
  const patterns = listPatternsOf(file, 'const fast = /^a+$/;');
  const proven = [{ file, pattern: /^a+$/, proof: 'Anchored.' }];
  expect(findPatternFaults(patterns, { proven, built: [] })).toEqual([
    'harness/patterns/exceptions.ts lists a pattern that src/sample.ts does not need',
  ]);
});

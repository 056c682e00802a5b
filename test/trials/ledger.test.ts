import { expect, test } from 'vitest';
import { createRandom } from '../../harness/random.ts';
import { createLedger, formatLedger } from '../../trials/ledger.ts';

test('the table counts tries and violations of each promise that was tried', () => {
  const seen: string[] = [];
  const ledger = createLedger({ onViolation: ({ text }) => void seen.push(text) });
  ledger.count(1, 'crash', 30);
  ledger.count(1, 'kills', 3, ['two branches', 'two comments']);
  ledger.count(27, 'starts', 8);
  const [head, line, ...rows] = formatLedger(ledger);
  expect([head, line]).toEqual([
    expect.stringMatching(/^\| Promise +\| Tries \| Violations \|$/),
    expect.stringMatching(/^\|[ |-]+\|$/),
  ]);
  expect(
    rows.map((row) =>
      row
        .split('|')
        .slice(2, 4)
        .map((cell) => cell.trim()),
    ),
  ).toEqual([
    ['33', '2'],
    ['8', '0'],
  ]);
  expect(seen).toEqual(['two branches', 'two comments']);
});

test('a seed decides every number, and another seed others', () => {
  const draw = (seed: number) => {
    const random = createRandom(seed);
    return [random.between(0, 1), random.pick(['a', 'b', 'c', 'd']), random.shuffle([1, 2, 3, 4, 5, 6, 7, 8])];
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
});

import { expect, test } from 'vitest';
import { parsePrices } from '../../eval/prices.ts';
import { formatResult, formatTotal, type Result, sumResults } from '../../eval/result.ts';
import { findCost } from '../../src/config/prices.ts';

const result: Result = {
  task: 'mkdocs/split-page',
  right: true,
  reasons: [],
  turns: 4,
  tokensIn: 31_204,
  tokensCached: 20_112,
  tokensOut: 1_804,
  lastInput: 9_400,
  cost: null,
  seconds: 41.2,
  codes: ['published'],
  answer: 'Done.',
  changed: ['docs/index.md'],
};

test('a result is one line, and one for each reason', () => {
  expect(formatResult(result)).toBe(
    'right  mkdocs/split-page              4 turns · 31,204 in (20,112 cached), 1,804 out · last 9,400 · 41 s',
  );
  const wrong = { ...result, right: false, reasons: ['docs/a.md is missing'], cost: 0.0123 };
  expect(formatResult(wrong)).toMatch(/^WRONG .* \$0\.0123 .*\n {9}docs\/a\.md is missing$/);
});

test('the sum has a cost only if each result has one', () => {
  const priced = { ...result, cost: 0.5 };
  expect(sumResults([priced, priced], 60)).toMatchObject({ right: 2, of: 2, turns: 8, cost: 1, seconds: 60 });
  expect(formatTotal(sumResults([priced, { ...result, right: false }], 60))).toBe(
    '1 of 2 right · 8 turns · 62,408 in (40,224 cached), 3,608 out · 60 s',
  );
});

test('cached tokens have a price of their own', () => {
  const prices = parsePrices('{"small": {"in": 2, "cachedIn": 0.5, "out": 8}}');
  const tokens = { tokensIn: 3_000_000, tokensCached: 2_000_000, tokensOut: 500_000 };
  expect(findCost(prices, 'small', tokens)).toBe(2 + 1 + 4);
  expect(findCost(prices, 'toString', tokens)).toBeNull();
});

test.each(['{', '{"small": {"in": 1}}', '{"small": {"in": -1, "cachedIn": 0, "out": 0}}', '[]'])(
  'the prices %s are refused',
  (text) => {
    expect(() => parsePrices(text)).toThrow(/OPENAI_PRICES (is not valid JSON|does not hold prices)/);
  },
);

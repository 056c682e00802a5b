import type { Tokens } from '../src/config/prices.ts';

/** How one try of a task ended. */
export interface Result extends Tokens {
  task: string;
  right: boolean;
  /** Why it is not right. */
  reasons: string[];
  turns: number;
  /** Tokens of the last request. */
  lastInput: number;
  /** Null without a price. */
  cost: number | null;
  seconds: number;
  /** How each run ended. */
  codes: string[];
  /** The answer of the last run to people. */
  answer: string;
  /** The files that the pull request changes. */
  changed: string[];
}

const count = (number: number) => number.toLocaleString('en-US');
const showTokens = ({ tokensIn, tokensCached, tokensOut }: Tokens) =>
  `${count(tokensIn)} in (${count(tokensCached)} cached), ${count(tokensOut)} out`;
const showCost = (cost: number | null) => (cost === null ? [] : [`$${cost.toFixed(4)}`]);

/** One line, and one for each reason. */
export function formatResult(result: Result): string {
  const { task, right, reasons, turns, lastInput, cost, seconds } = result;
  const figures = [
    `${turns} turns`,
    showTokens(result),
    `last ${count(lastInput)}`,
    ...showCost(cost),
    `${seconds.toFixed(0)} s`,
  ];
  const line = `${right ? 'right' : 'WRONG'}  ${task.padEnd(30)} ${figures.join(' · ')}`;
  return [line, ...reasons.map((reason) => `         ${reason.replaceAll('\n', '\n         ')}`)].join('\n');
}

export interface Total extends Tokens {
  right: number;
  of: number;
  turns: number;
  cost: number | null;
  seconds: number;
}

/** `seconds` is how long all of it took. */
export function sumResults(results: readonly Result[], seconds: number): Total {
  const sum = (read: (result: Result) => number) => results.reduce((all, result) => all + read(result), 0);
  return {
    right: results.filter(({ right }) => right).length,
    of: results.length,
    turns: sum(({ turns }) => turns),
    tokensIn: sum(({ tokensIn }) => tokensIn),
    tokensCached: sum(({ tokensCached }) => tokensCached),
    tokensOut: sum(({ tokensOut }) => tokensOut),
    cost: results.some(({ cost }) => cost === null) ? null : sum(({ cost }) => cost ?? 0),
    seconds,
  };
}

export const formatTotal = (total: Total): string =>
  [
    `${total.right} of ${total.of} right`,
    `${total.turns} turns`,
    showTokens(total),
    ...showCost(total.cost),
    `${total.seconds.toFixed(0)} s`,
  ].join(' · ');

import type { Random } from '../../../harness/random.ts';

export type Some<Item> = readonly [Item, ...Item[]];
export type Rule = (random: Random) => string;

/** The words of a list that is easier to read without quotes. */
export function words(text: string): Some<string> {
  const [first = '', ...rest] = text.trim().split(/\s+/);
  return [first, ...rest];
}

/** Draws one of the alternatives, and evaluates it. */
export const oneOf = (random: Random, alternatives: Some<string | Rule>): string => {
  const chosen = random.pick(alternatives);
  return typeof chosen === 'string' ? chosen : chosen(random);
};

export const chance = (random: Random, share: number): boolean => random.between(0, 1) < share;

export const number = (random: Random, most: number): number => Math.floor(random.between(0, most));

export function insertSomewhere(random: Random, text: string, piece: string): string {
  const at = number(random, text.length + 1);
  return text.slice(0, at) + piece + text.slice(at);
}

/** Changes each letter with the given chance. */
export const mapLetters = (random: Random, text: string, share: number, change: (letter: string) => string): string =>
  [...text].map((letter) => (chance(random, share) ? change(letter) : letter)).join('');

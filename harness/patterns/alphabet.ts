import type { CharSet } from 'refa';

/** The characters that all sets treat alike are one class: a set becomes a mask with a bit for each class. */
export function createAlphabet(sets: readonly CharSet[], maxCharacter: number) {
  const bounds = sets.flatMap(({ ranges }) => ranges.flatMap(({ min, max }) => [min, max + 1]));
  const firsts = [...new Set([0, ...bounds])].filter((first) => first <= maxCharacter).sort((a, b) => a - b);
  const classes = new Map<string, bigint>();
  const masks = new Map<CharSet, bigint>(sets.map((set) => [set, 0n]));
  for (const character of firsts) {
    const members = sets.map((set) => set.has(character));
    const key = members.map(Number).join('');
    const bit = classes.get(key) ?? 1n << BigInt(classes.size);
    classes.set(key, bit);
    for (const [index, set] of sets.entries()) if (members[index]) masks.set(set, (masks.get(set) ?? 0n) | bit);
  }
  return { maskOf: (set: CharSet) => masks.get(set) ?? 0n, all: (1n << BigInt(classes.size)) - 1n };
}

import { checkDocumentation } from '../../src/docs/check-change.ts';
import { createDocumentation } from '../../src/docs/documentation.ts';
import type { Problem } from '../../src/docs/problem.ts';
import type { FileTree } from '../../src/docs/tree.ts';
import { faults } from './faults.ts';
import { harmless } from './harmless.ts';
import { createRandom, type Seeded } from './seed.ts';

export interface SeedResult {
  name: string;
  isFault: boolean;
  seeded: number;
  /** Faults that a problem reports; edits without a problem. */
  right: number;
  /** Missed faults, and problems of harmless edits. */
  wrong: string[];
  /** What became of each fault or edit. */
  outcomes: { framework: string; outcome: Outcome }[];
}

/** `left alone`: the checks say why they do not judge such things here. */
type Outcome = 'right' | 'left alone' | 'wrong';
const reasons: readonly { fault: RegExp; reason: RegExp }[] = [
  { fault: /anchor|heading/, reason: /^Anchors\b.* not judged/ },
  { fault: /image/, reason: /^Images\b.* not judged/ },
  { fault: /import|include/, reason: /^Imports\b.* not judged/ },
  { fault: /link|page/, reason: /^Links\b.* not judged/ },
];

/** Seeds each kind `times` times into the tree, one at a time. The same seed draws the same. */
export function runSeeds(tree: FileTree, { times, seed }: { times: number; seed: number }): SeedResult[] {
  const documentation = createDocumentation({ base: tree, head: tree });
  const { sites } = documentation.with(new Map()).base;
  const kinds = [
    ...Object.entries(faults).map(([name, draw]) => ({ name, draw, isFault: true })),
    ...Object.entries(harmless).map(([name, draw]) => ({ name, draw, isFault: false })),
  ];
  return kinds.map(({ name, draw, isFault }, index) => {
    const random = createRandom(seed * 1_000 + index);
    const result: SeedResult = { name, isFault, seeded: 0, right: 0, wrong: [], outcomes: [] };
    for (let time = 0; time < times; time += 1) {
      const seeded = draw({ tree, sites, random });
      if (!seeded) continue;
      result.seeded += 1;
      const { problems, notChecked } = checkDocumentation(documentation.with(seeded.change));
      const isRight = isFault ? problems.some(seeded.isTold) : problems.length === 0;
      const isLeft = reasons.some(
        ({ fault, reason }) => fault.test(name) && notChecked.some((line) => reason.test(line)),
      );
      const outcome = isRight ? 'right' : isFault && isLeft ? 'left alone' : 'wrong';
      result.outcomes.push({ framework: seeded.framework, outcome });
      if (isRight) result.right += 1;
      else result.wrong.push(`${outcome === 'left alone' ? 'left alone: ' : ''}${describe(seeded, problems)}`);
    }
    return result;
  });
}

const describe = ({ framework, change }: Seeded, problems: readonly Problem[]): string =>
  `${framework} ${[...change.keys()].join(', ')}: ${
    problems.map(({ file, line, kind, message }) => `${kind} ${file}:${line} ${message}`).join(' | ') || 'nothing told'
  }`;

import { readDocsTrees } from '../../src/cli/read-docs-trees.ts';
import { createTree, type FileTree } from '../../src/docs/tree.ts';
import type { Figure } from '../figures/figure.ts';
import { ownSites } from '../seeded-faults/own-sites.ts';
import { runSeeds, type SeedResult } from '../seeded-faults/run-seeds.ts';

const leastFound = 0.98;

/** How many seeded faults and how many harmless edits the checks report: on the sites of this repository, or on those of another one. */
export async function benchSeededFaults({
  repo,
  times,
  seed,
}: {
  repo: string | undefined;
  times: number;
  seed: number;
}): Promise<Figure[]> {
  const trees = repo === undefined ? ownSites.map(toTree) : [await readRepository(repo)];
  const kinds = Map.groupBy(
    trees.flatMap((tree) => runSeeds(tree, { times, seed })),
    ({ name }) => name,
  );
  const results = [...kinds].map(([name, found]) => merge(name, found)).filter(({ seeded }) => seeded > 0);
  for (const { name, wrong } of results) for (const what of wrong) console.error(`  ${name}: ${what}`);
  const faults = results.filter(({ isFault }) => isFault);
  const edits = results.filter(({ isFault }) => !isFault);
  return [
    ...faults.map(describeFaults),
    ...edits.map(describeEdits),
    ...describeFrameworks(faults),
    sumFaults(faults),
    sumEdits(edits),
  ];
}

const toTree = ({ files, binaries }: (typeof ownSites)[number]): FileTree =>
  createTree({ paths: new Set([...Object.keys(files), ...binaries]), read: (path) => files[path] });

async function readRepository(repo: string): Promise<FileTree> {
  const { signal } = new AbortController();
  return (await readDocsTrees({ base: 'HEAD', head: 'HEAD', repo, signal })).head;
}

const sum = (results: readonly SeedResult[], key: 'seeded' | 'right') =>
  results.reduce((total, result) => total + result[key], 0);

const merge = (name: string, results: readonly SeedResult[]): SeedResult => ({
  name,
  isFault: results.some(({ isFault }) => isFault),
  seeded: sum(results, 'seeded'),
  right: sum(results, 'right'),
  wrong: results.flatMap(({ wrong }) => wrong),
  outcomes: results.flatMap(({ outcomes }) => outcomes),
});

const describeFaults = ({ name, seeded, right }: SeedResult): Figure => ({
  what: `fault: ${name}`,
  measured: `${right} of ${seeded} found`,
});

function describeFrameworks(faults: readonly SeedResult[]): Figure[] {
  const byFramework = Map.groupBy(
    faults.flatMap(({ outcomes }) => outcomes),
    ({ framework }) => framework,
  );
  return [...byFramework].map(([framework, found]) => {
    const count = (outcome: (typeof found)[number]['outcome']) =>
      found.filter((each) => each.outcome === outcome).length;
    const measured = `${count('right')} of ${found.length} found, ${count('left alone')} left alone with a reason, ${count('wrong')} missed`;
    return { what: `faults in ${framework}`, measured };
  });
}

const describeEdits = ({ name, seeded, right }: SeedResult): Figure => ({
  what: `harmless: ${name}`,
  measured: `${seeded - right} of ${seeded} told`,
});

function sumFaults(faults: readonly SeedResult[]): Figure {
  const [right, seeded] = [sum(faults, 'right'), sum(faults, 'seeded')];
  const goal = { text: '≥ 98 %', isMet: right >= seeded * leastFound };
  return {
    what: `all ${faults.length} kinds of faults`,
    measured: `${right} of ${seeded} found (${((100 * right) / seeded).toFixed(1)} %)`,
    goal,
  };
}

function sumEdits(edits: readonly SeedResult[]): Figure {
  const [right, seeded] = [sum(edits, 'right'), sum(edits, 'seeded')];
  return {
    what: `all ${edits.length} kinds of harmless edits`,
    measured: `${seeded - right} of ${seeded} told`,
    goal: { text: '0', isMet: right === seeded },
  };
}

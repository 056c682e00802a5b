import type { DataFile } from '../docs/frameworks/edits/data-files.ts';
import { ThreadFailure } from '../threads/threads.ts';
import type { Change, Guard } from './change.ts';
import { compareLines, findBadRedirect, findBadSummaryLine } from './data/compare-lines.ts';
import { createJsonComparison, createTomlComparison, type ParseToml } from './data/compare-text.ts';
import { createYamlComparison, type LayOutYaml } from './data/compare-yaml.ts';
import { createEntryCheck } from './data/entries.ts';
import { listSides } from './data/list-sides.ts';
import { parseToml } from './data/parse-data.ts';
import { readYaml } from './data/read-yaml.ts';
import { layOutYaml } from './data/yaml-layout.ts';
import type { Place } from './places/find-place.ts';

type Compare = (after: string) => string | undefined | Promise<string | undefined>;

/** Parsers of long texts, for example in a thread; by default inline. */
export interface DataParsers {
  layOutYaml?: LayOutYaml | undefined;
  parseToml?: ParseToml | undefined;
}

/** Files of frameworks: only the data of their containers may change. Compares with the base as its reader would. */
export function createDataGuard(
  findPlace: (path: string) => Place,
  {
    layOutYaml: layOut = async (input) => layOutYaml(input),
    parseToml: parse = async (text) => parseToml(text),
  }: DataParsers = {},
): Guard {
  /** Comparisons by the base's text: laying out a large file costs more than an edit may. */
  const cache = new Map<string, { sha: string | undefined; comparisons: Promise<Compare[]> }>();

  function findComparisons({ path, before }: Change, file: DataFile): Promise<Compare[]> {
    const cached = cache.get(path);
    if (cached !== undefined && cached.sha === before?.sha) return cached.comparisons;
    const sides = before === null ? [undefined] : listSides(before.text ?? '');
    const comparisons = Promise.all(sides.map((side) => createComparison(side, file, { layOut, parse })));
    cache.set(path, { sha: before?.sha, comparisons });
    comparisons.catch(() => cache.delete(path));
    return comparisons;
  }

  return async (change) => {
    const place = findPlace(change.path);
    if (place.kind !== 'data') return undefined;
    const { file } = place;
    const { path, before, after } = change;
    const isWhole = file.containers.every(({ at }) => at.length === 0);
    if (!isWhole && (before === null || after === null)) {
      return `${path} is protected: only ${file.what} may change, so you may neither add nor remove the file`;
    }
    if (after === null) return undefined;
    const text = after.text ?? '';
    const found = await findComparisons(change, file)
      .then((comparisons) => Promise.all(comparisons.map((compare) => compare(text))))
      .catch(notInTime);
    const bad = found.includes(undefined) ? undefined : found[0];
    return bad === undefined
      ? undefined
      : `${path} cannot be written like this: ${bad}. You may change ${file.what}; if more has to change, say so in your summary`;
  };
}

/** Fails closed. The next edit tries again. */
function notInTime(error: unknown): (string | undefined)[] {
  if (!(error instanceof ThreadFailure)) throw error;
  return ['the file of the repository cannot be taken apart in time'];
}

async function createComparison(
  before: string | undefined,
  file: DataFile,
  { layOut, parse }: { layOut: LayOutYaml; parse: ParseToml },
): Promise<Compare> {
  switch (file.format) {
    case 'json':
      return createJsonComparison(before, file);
    case 'toml':
      return createTomlComparison(before, file, parse);
    case 'yaml':
      return file.containers.some(({ at }) => at.length === 0)
        ? createWholeYamlComparison(before, file)
        : createYamlComparison(before ?? '', file, layOut);
    case 'redirects':
      return (after) => compareLines(before ?? '', after, findBadRedirect);
    case 'summary':
      return (after) => compareLines(before ?? '', after, findBadSummaryLine);
  }
}

/** The parser needs 20 ms for them. */
const maxWholeCharacters = 32_000;

/** The whole file is data. */
function createWholeYamlComparison(before: string | undefined, { containers: [rules] }: DataFile): Compare {
  if ((before?.length ?? 0) > maxWholeCharacters)
    return () => 'it is too large to be compared, so only a person can change it';
  const old = before === undefined ? undefined : readYaml(before);
  const checkEntry = createEntryCheck(old?.value ?? null, rules ?? { keys: [] });
  return (after) => {
    if (after.length > maxWholeCharacters) return 'it would be too large to be compared; split it';
    const read = readYaml(after);
    if (read === undefined) return 'it is not valid YAML';
    const left = [...(old?.oddities ?? [])];
    for (const oddity of read.oddities) {
      const at = left.indexOf(oddity);
      if (at === -1) return `write it without ${oddity}`;
      left.splice(at, 1);
    }
    return checkEntry(read.value);
  };
}

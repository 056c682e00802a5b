import type { DataFile } from '../../docs/frameworks/edits/data-files.ts';
import { dataFiles } from '../../docs/frameworks/frameworks.ts';
import { compareDictionaries } from './compare-dictionaries.ts';
import { compareLines, findBadRedirect, findBadSummaryLine } from './compare-lines.ts';
import { compareJsonOrToml } from './compare-values.ts';
import { compareWholeYaml, compareYaml } from './compare-yaml.ts';
import { listSides } from './list-sides.ts';

export interface DataToCompare {
  /** Its place in `dataFiles`. */
  file: number;
  /** Undefined: the base has no such file. */
  before: string | undefined;
  after: string;
}

/**
 * Undefined if two texts of a file differ only in the data of its containers, and all new data is allowed; otherwise why not, for the model.
 * A base with conflict markers is two texts: one of them has to be like this.
 */
export function compareData({ file, before, after }: DataToCompare): string | undefined {
  const data = dataFiles[file];
  if (data === undefined) throw new Error(`there is no data file ${file}`);
  const sides = before === undefined ? [undefined] : listSides(before);
  try {
    const found = sides.map((side) => compareSide(side, after, data));
    return found.includes(undefined) ? undefined : found[0];
  } catch (error) {
    if (error instanceof RangeError) return 'it nests too deeply';
    throw error;
  }
}

function compareSide(before: string | undefined, after: string, data: DataFile): string | undefined {
  switch (data.format) {
    case 'json':
    case 'toml':
      return compareJsonOrToml(before, after, { file: data, format: data.format });
    case 'yaml': {
      const [first] = data.containers;
      return first?.at.length === 0 ? compareWholeYaml(before, after, first) : compareYaml(before ?? '', after, data);
    }
    case 'redirects':
      return compareLines(before ?? '', after, findBadRedirect);
    case 'summary':
      return compareLines(before ?? '', after, findBadSummaryLine);
    case 'python':
      return compareDictionaries(before ?? '', after);
  }
}

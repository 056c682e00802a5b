import type { Problem } from './problem.ts';
import type { ProblemKind } from './problem-kinds.ts';

const maxLines = 20;
const maxPlaces = 12;
const closing = 'Problems that were there before are not listed and need no repair.';

/** A file of the base that the head does not have at its place. */
export interface GoneFile {
  path: string;
  movedTo: string | undefined;
  /** All targets of problems that lead to it: its path, its addresses, and how navigation writes it. */
  targets: string[];
}

/** For the model: one line for each, grouped by file, at most 20; then how many more there are of each kind. Empty if there is none. */
export function describeProblems(options: {
  problems: readonly Problem[];
  goneFiles: readonly GoneFile[];
  /** Whether `problems` includes those of the base. */
  all?: boolean;
}): string {
  const { problems, goneFiles, all = false } = options;
  if (problems.length === 0) return '';
  const gone = goneFiles.map((file) => ({ ...file, places: problems.filter((problem) => leadsTo(problem, file)) }));
  const covered = new Set(gone.flatMap(({ places }) => places));
  const others = problems.filter((problem) => !covered.has(problem)).toSorted(mustFirst);
  const shown = others.slice(0, maxLines);
  const lines = [...Map.groupBy(shown, ({ file }) => file).values()].flat().map(describeProblem);
  return [
    ...gone.flatMap(describeGone),
    ...lines,
    ...countRest(others.slice(maxLines)),
    ...(all ? [] : [closing]),
  ].join('\n');
}

const describeProblem = ({ file, line, message }: Problem): string => `${file}:${line}: ${message}`;

/** Stable: the order of the files stays. */
const mustFirst = (a: Problem, b: Problem) => Number(a.severity === 'should') - Number(b.severity === 'should');

const leadKinds: readonly ProblemKind[] = ['link', 'image', 'import', 'navigation'];

export const leadsTo = ({ kind, target }: Pick<Problem, 'kind' | 'target'>, { targets }: GoneFile): boolean =>
  leadKinds.includes(kind) && targets.includes(target);

function describeGone({ path, movedTo, places }: GoneFile & { places: Problem[] }): string[] {
  if (places.length === 0) return [];
  const listed = places.slice(0, maxPlaces).map(({ file, line }) => `${file}:${line}`);
  const rest = places.length - listed.length;
  const all = [...listed, ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ');
  return [
    movedTo === undefined
      ? `You deleted ${path}; these still link to it: ${all}`
      : `You moved ${path} to ${movedTo}; these still link to the old place: ${all}`,
  ];
}

const countRest = (rest: readonly Problem[]): string[] =>
  [...Map.groupBy(rest, ({ kind }) => kind)].map(([kind, { length }]) => `and ${length} more of the kind ${kind}`);

interface Counts {
  links: number;
  pages: number;
  /** Pages that there was no time for. */
  unparsed: number;
  navigation: boolean;
}

/** What was checked, for people. Empty: nothing. */
export const describeCounts = ({ links, pages, unparsed, navigation }: Counts): string =>
  [
    ...(links > 0 ? [`${links.toLocaleString('en')} ${links === 1 ? 'link' : 'links'}`] : []),
    ...(pages + unparsed > 0
      ? [
          `${pages.toLocaleString('en')} ${pages === 1 ? 'page' : 'pages'} parsed${unparsed === 0 ? '' : ` (no time for ${unparsed.toLocaleString('en')} more)`}`,
        ]
      : []),
    ...(navigation ? ['navigation'] : []),
  ].join(', ');

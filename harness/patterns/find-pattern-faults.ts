import { built, proven } from './exceptions.ts';
import { findSlowMatch } from './find-slow-match.ts';
import type { Pattern } from './list-patterns.ts';

/** A sentence for each pattern that may be slow and is not proven, for each built one that is unknown, and for each exception without use. */
export function findPatternFaults(patterns: readonly Pattern[], exceptions = { proven, built }): string[] {
  const used = new Set<object>();
  const use = <Exception extends object>(exception: Exception | undefined) => {
    if (exception) used.add(exception);
    return exception;
  };
  const faults = patterns.flatMap((pattern): string[] => {
    const place = `${pattern.file}:${pattern.line}`;
    if ('built' in pattern) {
      const known = use(exceptions.built.find(({ file, code }) => file === pattern.file && code === pattern.built));
      if (known === undefined) return [`${place}: ${pattern.built} is not in harness/patterns/exceptions.ts`];
      return known.like.flatMap((each) => describe(place, each));
    }
    const slow = describe(place, pattern);
    const isKnown = slow.length > 0 && use(exceptions.proven.find((each) => isSame(each, pattern))) !== undefined;
    return isKnown ? [] : slow;
  });
  const unused = [...exceptions.proven, ...exceptions.built].filter((exception) => !used.has(exception));
  return [
    ...faults,
    ...unused.map(({ file }) => `harness/patterns/exceptions.ts lists a pattern that ${file} does not need`),
  ];
}

const isSame = (
  { file, pattern: { source, flags } }: { file: string; pattern: RegExp },
  pattern: { file: string; source: string; flags: string },
) => file === pattern.file && source === pattern.source && flags === pattern.flags;

function describe(place: string, { source, flags }: { source: string; flags: string }): string[] {
  const reason = findSlowMatch({ source, flags });
  return reason === undefined ? [] : [`${place}: /${source}/${flags}: ${reason}`];
}

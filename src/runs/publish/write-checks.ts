import { describeCounts } from '../../docs/describe-problems.ts';
import { bound } from '../../text/bound.ts';
import { writeCode, writePlain } from '../../text/neutralize/write-code.ts';
import type { CheckReport, ReportedProblem } from '../check-report.ts';

const maxProblems = 20;
const maxPathLength = 200;
const maxMessageLength = 300;
const maxLength = 3_000;

/**
 * For people on GitHub: the counts, the remaining problems, and what was not checked. Names files and targets of the repository, so it has to be
 * neutralized.
 */
export function writeChecks({ ran, problems, more, notChecked, ...counts }: CheckReport): string {
  if (!ran) return 'The checks did not run, so links, syntax and navigation were not checked.';
  const count = problems.length + more;
  const isPart = notChecked.length + counts.unparsed > 0;
  const checked = describeCounts(counts);
  const result = checked === '' ? 'Nothing was checked.' : `Checked: ${checked}.`;
  const found =
    count > 0
      ? `${count === 1 ? '1 new problem is' : `${count} new problems are`} left${describeExplained(problems, count)}:`
      : checked === ''
        ? ''
        : `No new problems${isPart ? ' in what was checked' : ''}.`;
  return [
    `${result} ${found}`.trim(),
    ...(count > 0 ? [listProblems(problems, count)] : []),
    ...(notChecked.length > 0 ? [notChecked.map(showPlain).join('\n')] : []),
  ].join('\n\n');
}

function describeExplained(problems: readonly ReportedProblem[], count: number): string {
  const explained = problems.filter(({ explanation }) => explanation !== null).length;
  if (explained === 0) return '';
  return explained === count ? ', explained by the agent' : `, ${explained} of them explained by the agent`;
}

function listProblems(problems: readonly ReportedProblem[], count: number): string {
  const lines = listWithin(problems.slice(0, maxProblems).map(writeProblem), maxLength);
  const rest = count - lines.length;
  return [...lines, ...(rest > 0 ? [`- and ${rest} more`] : [])].join('\n');
}

/** The first line, and as many more as have room. */
export function listWithin(lines: readonly string[], maxLength: number): string[] {
  let length = 0;
  const end = lines.findIndex((line, index) => {
    length += line.length;
    return length > maxLength && index > 0;
  });
  return end < 0 ? [...lines] : lines.slice(0, end);
}

/** For a comment: undefined if there is nothing to report. What the agent explained stands in the description. */
export function writeLeftChecks(checks: CheckReport): string | undefined {
  const isExplained = checks.more === 0 && checks.problems.every(({ explanation }) => explanation !== null);
  return checks.ran && isExplained && checks.unparsed === 0 ? undefined : writeChecks(checks);
}

function writeProblem({ file, line, severity, message, explanation }: ReportedProblem): string {
  const place = writeCode(`${bound(file, maxPathLength)}:${line}`);
  const why = explanation === null ? '' : ` _Explained:_ ${showPlain(explanation)}`;
  return `- ${place} ${severity === 'must' ? '**must be fixed**: ' : ''}${showPlain(message)}${why}`;
}

const showPlain = (text: string) => writePlain(text, maxMessageLength);

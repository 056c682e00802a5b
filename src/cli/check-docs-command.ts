import { parseArgs, styleText } from 'node:util';
import type { Checked } from '../checks/check-change.ts';
import type { Problem } from '../checks/problem.ts';
import { UsageError } from './usage-error.ts';

export const usage = `Usage: npm run -s check-docs -- BASE HEAD [--repo DIR] [--json]

Compares two states of a documentation repository and prints the problems that HEAD brings: pages that do not parse, links,
images, anchors and navigation entries that lead to nothing, pages that no reader finds, missing redirects, front matter
that cannot be read. Problems that BASE has already are not printed.

BASE, HEAD  two folders, or with --repo two commits of that repository
--json      one JSON object a line: file, line, kind, severity (must or should), message, target

Exit code: 0 without problems that must be fixed, 1 with some, 2 if the command cannot be carried out.
`;

export type CheckDocsCommand =
  | { kind: 'help' }
  | { kind: 'check'; base: string; head: string; repo: string | undefined; isJson: boolean };

const options = {
  repo: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** Throws `UsageError`. */
export function parseCheckDocsCommand(args: string[]): CheckDocsCommand {
  const { values, positionals } = parse(args);
  if (values.help) return { kind: 'help' };
  const [base, head, ...rest] = positionals;
  if (base === undefined || head === undefined || rest.length > 0) throw new UsageError('name BASE and HEAD');
  return { kind: 'check', base, head, repo: values.repo, isJson: values.json };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** The problems as JSON lines, or grouped by file for people. */
export function formatProblems(
  { problems, sites, checkedLinks, parsedPages }: Checked,
  { isJson, isColoured }: { isJson: boolean; isColoured: boolean },
): string {
  if (isJson) return problems.map((problem) => `${JSON.stringify(problem)}\n`).join('');
  const colour = (format: 'bold' | 'red' | 'yellow' | 'dim', text: string) =>
    isColoured ? styleText(format, text, { validateStream: false }) : text;
  const files = Map.groupBy(problems, ({ file }) => file);
  const blocks = [...files].map(([file, found]) =>
    [colour('bold', file), ...found.map((problem) => formatProblem(problem, colour))].join('\n'),
  );
  const checked = sites.map(({ framework, pages }) => `${pages} pages of ${framework}`).join(', ');
  const must = problems.filter(({ severity }) => severity === 'must').length;
  const sum = `${must} to fix, ${problems.length - must} to look at (${checkedLinks} links, ${parsedPages} changed pages, ${checked || 'no pages'} checked)`;
  return `${[...blocks, colour('dim', sum)].join('\n\n')}\n`;
}

function formatProblem(
  { line, severity, message }: Problem,
  colour: (format: 'red' | 'yellow', text: string) => string,
): string {
  const mark = severity === 'must' ? colour('red', 'must  ') : colour('yellow', 'should');
  return `  ${String(line).padStart(5)}  ${mark}  ${message}`;
}

import { styleText } from 'node:util';
import { Command } from 'commander';
import type { Checked } from '../docs/check-change.ts';
import type { Problem } from '../docs/problem.ts';

export interface CheckDocsCommand {
  base: string;
  head: string;
  repo: string | undefined;
  isJson: boolean;
}

/** `pagewright check-docs`: parses the arguments and passes them to `run`. */
export function createCheckDocsCommand(run: (command: CheckDocsCommand) => Promise<void>): Command {
  return new Command('check-docs')
    .summary('print the problems that a change of documentation adds')
    .description(
      `Compares two states of a documentation repository and prints the problems that HEAD adds: pages that do not parse, links,
images, anchors and navigation entries that lead to nothing, pages that no reader finds, missing redirects, front matter
that cannot be read. It does not print problems of BASE.`,
    )
    .argument('<BASE>', 'a folder, or with --repo a commit or a folder')
    .argument('<HEAD>', 'a folder, or with --repo a commit or a folder')
    .option('--repo <dir>', 'the repository of the commits')
    .option('--json', 'one JSON object a line: file, line, kind, severity (must or should), message, target', false)
    .addHelpText(
      'after',
      `
Exit code: 0 without problems that must be fixed, 1 with some, 2 if the command fails.

Examples:
  pagewright check-docs main my-branch --repo ~/docs
  pagewright check-docs HEAD . --repo .        # what is not committed yet
  pagewright check-docs ./before ./after --json`,
    )
    .action((base: string, head: string, { repo, json }: { repo?: string; json: boolean }) =>
      run({ base, head, repo, isJson: json }),
    );
}

/** The problems as JSON lines, or grouped by file for people. */
export function formatProblems(
  { problems, sites, checkedLinks, parsedPages, notChecked }: Checked,
  { isJson, isColoured }: { isJson: boolean; isColoured: boolean },
): string {
  if (isJson) return problems.map((problem) => `${JSON.stringify(problem)}\n`).join('');
  const colour = (format: 'bold' | 'red' | 'yellow' | 'dim', text: string) =>
    isColoured ? styleText(format, text, { validateStream: false }) : text;
  const files = Map.groupBy(problems, ({ file }) => file);
  const blocks = [...files].map(([file, found]) =>
    [
      colour('bold', file),
      ...found.toSorted((a, b) => a.line - b.line).map((problem) => formatProblem(problem, colour)),
    ].join('\n'),
  );
  const counts = Map.groupBy(sites, ({ framework }) => framework);
  const checked = Array.from(counts, ([framework, all]) => {
    const pages = all.reduce((sum, site) => sum + site.pages, 0);
    return `${pages} ${pages === 1 ? 'page' : 'pages'} of ${framework}`;
  }).join(', ');
  const must = problems.filter(({ severity }) => severity === 'must').length;
  const sum = `${must} to fix, ${problems.length - must} to look at (${checkedLinks} links, ${parsedPages} changed ${parsedPages === 1 ? 'page' : 'pages'}, ${checked} checked)`;
  const end = [colour('dim', sum), ...notChecked.map((sentence) => colour('yellow', sentence))].join('\n');
  return `${[...blocks, end].join('\n\n')}\n`;
}

function formatProblem(
  { line, severity, message }: Problem,
  colour: (format: 'red' | 'yellow', text: string) => string,
): string {
  const mark = severity === 'must' ? colour('red', 'must  ') : colour('yellow', 'should');
  return `  ${String(line).padStart(5)}  ${mark}  ${message}`;
}

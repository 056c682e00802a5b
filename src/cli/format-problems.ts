import { styleText } from 'node:util';
import packageJson from '../../package.json' with { type: 'json' };
import type { Checked } from '../docs/check-change.ts';
import type { Problem } from '../docs/problem.ts';
import { problemKinds } from '../docs/problem-kinds.ts';
import type { CheckDocsCommand } from './check-commands.ts';

/** The problems for people by file, or for programs. */
export function formatProblems(
  checked: Checked,
  { format, isColoured }: { format: CheckDocsCommand['format']; isColoured: boolean },
): string {
  switch (format) {
    case 'text':
      return formatText(checked, { isColoured });
    case 'json':
      return checked.problems.map((problem) => `${JSON.stringify(problem)}\n`).join('');
    case 'github':
      return checked.problems
        .map((problem) => `${formatAnnotation({ ...problem, level: levels[problem.severity] })}\n`)
        .join('');
    case 'sarif':
      return `${JSON.stringify(toSarif(checked.problems))}\n`;
  }
}

const levels = { must: 'error', should: 'warning' } as const;

/** https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html */
function toSarif(problems: readonly Problem[]) {
  const kinds = [...new Set(problems.map(({ kind }) => kind))].sort();
  const driver = {
    name: 'pagewright check-docs',
    version: packageJson.version,
    rules: kinds.map((kind) => ({ id: kind, shortDescription: { text: problemKinds[kind].finds } })),
  };
  const results = problems.map(({ file, line, kind, severity, message, target }) => ({
    ruleId: kind,
    level: levels[severity],
    message: { text: message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: file.split('/').map(encodeURIComponent).join('/') },
          ...(line > 0 ? { region: { startLine: line } } : {}),
        },
      },
    ],
    // What tells the same problem from others when the lines of the file move.
    partialFingerprints: { 'problem/v1': `${file} ${kind} ${target}` },
  }));
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver }, results }],
  };
}

function formatText(
  { problems, sites, checkedLinks, parsedPages, notChecked }: Checked,
  { isColoured }: { isColoured: boolean },
): string {
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

interface Annotation {
  file: string;
  line: number;
  level: 'error' | 'warning';
  message: string;
}

/**
 * A line by which a workflow on GitHub annotates a line of a file.
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
export function formatAnnotation({ file, line, level, message }: Annotation): string {
  const place = line > 0 ? `,line=${line}` : '';
  return `::${level} file=${escapeProperty(file)}${place}::${escapeMessage(message)}`;
}

/** As GitHub's own toolkit does: https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts */
const escapeMessage = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapeProperty = (text: string) => escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

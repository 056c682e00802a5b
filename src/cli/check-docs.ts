import { checkChange } from '../docs/check-change.ts';
import type { CheckDocsCommand } from './check-docs-command.ts';
import { findBaseToCompare } from './find-base-to-compare.ts';
import { formatProblems } from './format-problems.ts';
import { readDocsTrees } from './read-docs-trees.ts';
import { reportToWorkflow } from './report-to-workflow.ts';
import { UsageError } from './usage-error.ts';

const fails = { must: ['must'], should: ['must', 'should'], never: [''] };

/** Returns what to print, what formats for programs leave out, and whether the command fails. */
export async function checkDocs(
  command: CheckDocsCommand,
  { signal, isColoured }: { signal: AbortSignal; isColoured: boolean },
): Promise<{ text: string; notes: string[]; hasFailed: boolean }> {
  const { head = command.repo ?? '.', repo, format } = command;
  const base = command.base ?? (await findBaseToCompare(head, { env: process.env, signal }));
  const checked = checkChange(await readDocsTrees({ base, head, repo, signal }));
  if (checked.sites.length === 0 && checked.problems.length === 0)
    throw new UsageError(`${head} has no pages of documentation: name the folder or commit that has them`);
  if (format === 'github') await reportToWorkflow(checked, process.env);
  return {
    text: formatProblems(checked, { format, isColoured }),
    notes: format === 'text' ? [] : checked.notChecked,
    hasFailed: checked.problems.some(({ severity }) => fails[command.failOn].includes(severity)),
  };
}

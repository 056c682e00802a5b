import { checkChange } from '../docs/check-change.ts';
import { type CheckDocsCommand, formatProblems } from './check-docs-command.ts';
import { readDocsTrees } from './read-docs-trees.ts';
import { UsageError } from './usage-error.ts';

/** Returns what to print, what JSON lines leave out, and whether a problem must be fixed. */
export async function checkDocs(
  command: CheckDocsCommand,
  { signal, isColoured }: { signal: AbortSignal; isColoured: boolean },
): Promise<{ text: string; notes: string[]; mustFix: boolean }> {
  const checked = checkChange(await readDocsTrees({ ...command, signal }));
  if (checked.sites.length === 0 && checked.problems.length === 0)
    throw new UsageError(`${command.head} has no pages of documentation: name the folder or commit that has them`);
  return {
    text: formatProblems(checked, { isJson: command.isJson, isColoured }),
    notes: command.isJson ? checked.notChecked : [],
    mustFix: checked.problems.some(({ severity }) => severity === 'must'),
  };
}

import { appendFile } from 'node:fs/promises';
import type { Checked } from '../docs/check-change.ts';
import { formatProblems } from './format-problems.ts';

/**
 * Adds to the summary and the outputs (`must`, `should`: counts) of the step that runs the command, if GitHub runs it.
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#environment-files
 */
export async function reportToWorkflow(
  checked: Checked,
  { GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: output }: NodeJS.ProcessEnv,
): Promise<void> {
  if (summary) {
    const text = formatProblems(checked, { format: 'text', isColoured: false });
    // Longer than any run of backticks in the text, which would end the block.
    const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
    await appendFile(summary, `${fence}text\n${text}${fence}\n`);
  }
  const count = (wanted: 'must' | 'should') => checked.problems.filter(({ severity }) => severity === wanted).length;
  if (output) await appendFile(output, `must=${count('must')}\nshould=${count('should')}\n`);
}

import { appendFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Checked, checkChange } from '../docs/check-change.ts';
import type { FileTree } from '../docs/tree.ts';
import { findMergeBase } from '../git/commits.ts';
import { parseSettings, settingsPath } from '../repository/settings.ts';
import type { CheckDocsCommand } from './check-commands.ts';
import { formatProblems } from './format-problems.ts';
import { findCommit, isFolder, openRepository, readDocsTrees } from './read-docs-trees.ts';
import { UsageError } from './report-usage.ts';
import type { CommandOptions, Outcome } from './run-command.ts';

const fails = { must: ['must'], should: ['must', 'should'], never: [''] };

/** The notes are what formats for programs leave out. */
export async function checkDocs(command: CheckDocsCommand, { signal, isColoured }: CommandOptions): Promise<Outcome> {
  const { format } = command;
  const states = await completeStates(command, signal);
  const trees = await readDocsTrees({ ...states, signal });
  const checked = checkChange(trees, { off: readChecksOff(trees.head) });
  if (checked.sites.length === 0 && checked.problems.length === 0)
    throw new UsageError(`${states.head} has no pages of documentation: name the folder or commit that has them`);
  if (format === 'github') await reportToWorkflow(checked, process.env);
  return {
    text: formatProblems(checked, { format, isColoured }),
    notes: format === 'text' ? [] : checked.notChecked,
    hasFailed: checked.problems.some(({ severity }) => fails[command.failOn].includes(severity)),
  };
}

/** What the arguments leave out. */
async function completeStates({ base, head, repo }: CheckDocsCommand, signal: AbortSignal) {
  if (base !== undefined && head !== undefined) {
    const areFolders = (await isFolder(base)) && (await isFolder(head));
    return { base, head, repo: repo ?? (areFolders ? undefined : '.') };
  }
  if (base !== undefined && repo === undefined && (await isFolder(base))) {
    // No commit has the name of a whole path.
    const folder = resolve(base);
    return { base: folder, head: folder, repo: (await openRepository(folder, signal)) && folder };
  }
  const checkout = repo ?? '.';
  return {
    base: base ?? (await findBaseToCompare(checkout, { env: process.env, signal })),
    head: checkout,
    repo: checkout,
  };
}

/** A file with a mistake turns nothing off. */
const readChecksOff = (tree: FileTree) => {
  const { settings, problems } = parseSettings(tree.read(settingsPath) ?? '');
  return problems.length > 0 ? [] : settings.checks_off;
};

/**
 * The commit in which a checkout left the branch that it will be merged into: that of the pull request in a workflow on GitHub, otherwise the
 * default branch of `origin`, `main` or `master`. Throws `UsageError` if there is none.
 */
async function findBaseToCompare(
  folder: string,
  { env, signal }: { env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<string> {
  const repository = await openRepository(folder, signal);
  if (repository === undefined)
    throw new UsageError(`${folder} is not in a git repository: name a folder to check all of it, or two to compare`);
  const target = env.GITHUB_BASE_REF;
  const names = target ? [`origin/${target}`] : ['origin/HEAD', 'origin/main', 'origin/master', 'main', 'master'];
  const tip = await findCommit('HEAD', repository);
  for (const name of names) {
    const commit = await findCommit(name, repository);
    if (commit === undefined) continue;
    const base = tip && (await findMergeBase({ ...repository, commits: [commit, tip] }));
    if (base !== undefined) return base;
    throw new UsageError(`${folder} has no commit in common with ${name}: fetch the whole history, or name BASE`);
  }
  throw new UsageError(
    `${folder} has no branch ${names.join(' or ')} to compare with: fetch it, or name BASE; pagewright check-docs . checks everything`,
  );
}

/**
 * Adds to the summary and the outputs (`must`, `should`: counts) of the step that runs the command, if GitHub runs it.
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#environment-files
 */
async function reportToWorkflow(
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

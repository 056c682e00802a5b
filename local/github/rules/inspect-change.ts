import type { RefUpdate } from '../git/announce-ref-update.ts';
import { isAncestor, lines, readCommits, zeroSha } from '../git/read-git.ts';
import { runGit } from '../git/run-git.ts';
import type { Repository } from '../state/world.ts';
import { type Change, checkRule } from './check-rule.ts';
import { rulesetsOf } from './rulesets-of.ts';

/** Where git finds objects that are not in the repository yet. */
type Environment = Record<string, string>;

/** Excludes every reachable commit: the rest of a range is new to the repository. */
const reachable = ['--not', '--branches', '--tags', '--glob=refs/pull/'];

/** The rules that the App's update breaks, as github.com's texts; an empty list allows it. */
export async function findViolations(
  repository: Repository,
  update: RefUpdate,
  environment: Environment = {},
): Promise<string[]> {
  const [, branch] = /^refs\/heads\/(.+)$/.exec(update.ref) ?? [];
  if (branch === undefined) return [];
  const rules = rulesetsOf(repository, branch)
    .filter(({ canBypass }) => !canBypass)
    .flatMap(({ rules: listed }) => listed);
  if (rules.length === 0) return [];
  const { before, after } = update;
  const { directory, signedCommits } = repository;
  const kind = before === zeroSha ? 'creation' : after === zeroSha ? 'deletion' : 'update';
  const change: Change = {
    branch,
    kind,
    isForced: kind === 'update' && !(await isAncestor(directory, before, after, environment)),
    commits: kind === 'deletion' ? [] : await readCommits(directory, [after, ...reachable], environment),
    files: kind === 'deletion' ? [] : await readNewFiles(directory, after, environment),
    isSigned: (sha) => signedCommits.has(sha),
  };
  return rules.map((rule) => checkRule(rule, change)).filter((reason) => reason !== undefined);
}

/** The first workflow that an update changes, by its own commits or through a merge. */
export async function findChangedWorkflow(
  directory: string,
  { before, after }: RefUpdate,
  environment: Environment = {},
): Promise<string | undefined> {
  if (after === zeroSha) return undefined;
  const commits = await runGit(directory, ['rev-list', after, ...reachable], { environment });
  const shared = ['-r', '--name-only', '--no-commit-id'];
  const scope = ['--', '.github/workflows'];
  const inCommits =
    commits === ''
      ? ''
      : await runGit(directory, ['diff-tree', '--stdin', '--root', '-m', ...shared, ...scope], {
          input: commits,
          environment,
        });
  const onBranch =
    before === zeroSha
      ? ''
      : await runGit(directory, ['diff-tree', ...shared, before, after, ...scope], { environment });
  return lines(inCommits + onBranch)[0];
}

/** github.com's text. */
export const refuseWorkflow = (path: string): string =>
  `refusing to allow a GitHub App to create or update workflow \`${path}\` without \`workflows\` permission`;

/** Each file of a new commit with its size; a deleted file has none. */
async function readNewFiles(directory: string, after: string, environment: Environment): Promise<Change['files']> {
  const commits = await runGit(directory, ['rev-list', after, ...reachable], { environment });
  if (commits === '') return [];
  const touched = await runGit(
    directory,
    ['diff-tree', '--stdin', '--root', '-c', '-r', '-z', '--name-only', '--no-commit-id'],
    { input: commits, environment },
  );
  const objects = await runGit(directory, ['rev-list', '--objects', after, ...reachable], { environment });
  const described = await runGit(directory, ['cat-file', '--batch-check=%(objecttype) %(objectsize) %(rest)'], {
    input: objects,
    environment,
  });
  const written = lines(described).flatMap((line) => {
    const [, bytes, path] = /^blob (\d+) (.+)$/.exec(line) ?? [];
    return path === undefined ? [] : [{ path, bytes: Number(bytes) }];
  });
  const paths = touched.split('\0').filter((path) => path !== '');
  return [...written, ...paths.map((path) => ({ path, bytes: 0 }))];
}

import { runGit } from '../github/git/run-git.ts';
import type { LocalGitHub } from '../github/start-github.ts';
import { createCaller } from './caller.ts';
import { DemoFailure } from './demo-failure.ts';
import { print } from './print.ts';
import { readDiff } from './read-diff.ts';
import { finding, instruction } from './sidebar-script.ts';

/**
 * Shows a page that is added to a sidebar in TypeScript, a broken link that the check finds before the pull request is opened, and a check of
 * the repository that fails on it and is repaired.
 */
export async function showSidebar({
  service,
  github,
  repository,
  objections,
  signal,
}: {
  github: LocalGitHub;
  service: { url: string; keys: (...args: string[]) => Promise<string> };
  repository: { fullName: string; gitDirectory: string; defaultBranch: string };
  /** The objection that sent the model back to work. */
  objections: readonly string[];
  signal: AbortSignal;
}): Promise<void> {
  print.heading('7. A site whose sidebar is TypeScript, and a link that leads nowhere');
  const project = JSON.parse(await service.keys('create', repository.fullName, '--name', 'demo', '--json')) as {
    projectId: string;
    key: string;
  };
  const caller = createCaller({ url: service.url, ...project, signal });
  const { id } = await caller.createJob(instruction);
  const { status, prLink, source } = await caller.follow(id, ['completed', 'failed']);
  if (prLink === null) throw new DemoFailure(`The run opened no pull request. The job is ${status}.`);
  for (const objection of objections) print.comment('Pagewright', 'checked, and sent the agent back', objection);
  print.line(`\n  Pull request: ${prLink}\n`);
  print.diff(await readDiff(repository.gitDirectory, { from: repository.defaultBranch, to: source.ref }));

  print.heading('8. A check of the repository fails on it: Pagewright repairs that without being asked');
  const rita = github.asPerson('rita');
  const { fullName: name, gitDirectory } = repository;
  const readHead = async () => (await runGit(gitDirectory, ['rev-parse', source.ref])).trim();
  const before = await readHead();
  rita.report(name, { name: 'vale', headSha: before, conclusion: 'failure', annotations: [finding] });
  print.line(`  ✗ vale   ${finding.path}:${finding.startLine} ${finding.message}`);
  const { commit, sentence } = await caller.followRun(id, 2);
  if (commit === null) throw new DemoFailure(`The run changed nothing. ${sentence ?? ''}`);
  print.diff(await readDiff(gitDirectory, { from: before, to: commit }));
  rita.report(name, { name: 'vale', headSha: await readHead(), conclusion: 'success' });
  print.line('  ✓ vale');
}

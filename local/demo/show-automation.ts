import { z } from 'zod';
import type { LocalGitHub } from '../github/start-github.ts';
import { change, codeName, settings } from './automation-script.ts';
import { print } from './print.ts';
import { readDiff } from './read-diff.ts';
import { waitFor } from './wait-for.ts';

const listed = z.object({ automations: z.array(z.object({ state: z.string() })) });

/** Shows that a merged pull request of the code becomes a pull request of the documentation, with its evidence. */
export async function showAutomation({
  service,
  github,
  repository: { fullName, gitDirectory, defaultBranch },
  signal,
}: {
  service: { url: string; keys: (...args: string[]) => Promise<string> };
  github: LocalGitHub;
  repository: { fullName: string; gitDirectory: string; defaultBranch: string };
  signal: AbortSignal;
}): Promise<void> {
  print.heading('9. An automation: a merged pull request of the code becomes one of the documentation');
  const rita = github.asPerson('rita');
  const before = rita.listPullRequests(fullName).length;
  await rita.pushCommit(fullName, defaultBranch, { '.github/pagewright.yml': settings }, 'Follow the code');
  print.line(`  .github/pagewright.yml of ${fullName}:`);
  for (const line of settings.trimEnd().split('\n')) print.line(`  │ ${line}`);
  const created = await service.keys('create', fullName, '--name', 'automations', '--json');
  const { projectId, key } = z.object({ projectId: z.string(), key: z.string() }).parse(JSON.parse(created));
  const address = `${service.url}/v2/agent/${projectId}/automation`;
  print.request('GET', address);
  const isActive = async () => {
    const response = await fetch(address, { signal, headers: { authorization: `Bearer ${key}` } });
    const { automations } = listed.parse(await response.json());
    return automations.some(({ state }) => state === 'active') || undefined;
  };
  await waitFor(isActive, { what: 'the automation is active', signal });
  print.line('  state: active');
  const branch = 'replay-timeout';
  await rita.pushCommit(codeName, branch, change.files, change.title);
  const { number } = await rita.openPullRequest(codeName, { title: change.title, head: branch, base: defaultBranch });
  await rita.mergePullRequest(codeName, number);
  print.line(`  rita merged ${codeName}#${number}: ${change.title}`);
  const opened = await waitFor(async () => rita.listPullRequests(fullName)[before], {
    what: `a pull request in ${fullName}`,
    signal,
  });
  const { body, author, headRef } = opened;
  print.line(`\n  Pull request: ${github.webUrl}/${fullName}/pull/${opened.number}`);
  const { text, evidence } = readDescription(body ?? '');
  print.comment(author.login, 'wrote', text);
  print.comment(author.login, 'names as evidence', evidence.join('\n'));
  print.diff(await readDiff(gitDirectory, { from: defaultBranch, to: headRef }));
}

/** A description as people see it before they open its details, and the evidence among these. */
function readDescription(body: string): { text: string; evidence: string[] } {
  const [text = ''] = body.replaceAll(/<!--[^>]*-->/g, '').split('<details>');
  return { text: text.trim(), evidence: body.split('\n').filter((line) => line.includes('/blob/')) };
}

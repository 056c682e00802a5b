import { z } from 'zod';
import type { AddedProject } from '../../harness/add-project.ts';
import { eventually } from '../../harness/eventually.ts';
import type { Files } from '../checks/outcome.ts';
import { listEdits, type Merged, merge } from '../tasks/task.ts';
import type { Stage } from './open-stage.ts';

export const settingsPath = '.github/pagewright.yml';
const automation = 'follow';

const listed = z.object({
  automations: z.array(z.object({ state: z.string(), waiting: z.number(), problem: z.string().nullable() })),
});

/** The settings of the documentation. `isShared`: the code is in the same repository. */
export const writeSettings = (owner: string, { isShared }: { isShared: boolean }): string =>
  `${isShared ? '' : `context: [${owner}/code]\n`}automations:
  ${automation}:
    on: {merged: ${nameCode(owner, isShared)}}
    every: day
    prompt: Bring the documentation in line with these changes.
`;

const nameCode = (owner: string, isShared: boolean) => `${owner}/${isShared ? 'docs' : 'code'}`;

/** Lets the automation of the project follow the code, merges the pull requests, and runs it once for all. Returns the id of its job. */
export async function startByMerges(
  { world: { github, rita }, url }: Stage,
  {
    owner,
    project: { repository, projectId, key },
    files: code,
    merged,
    isShared,
  }: { owner: string; project: AddedProject; files: Files; merged: readonly Merged[]; isShared: boolean },
): Promise<string> {
  const name = nameCode(owner, isShared);
  if (!isShared) {
    const files = { ...Object.fromEntries(code), [settingsPath]: `documentation: ${owner}/docs\n` };
    await github.addRepository({ owner, name: 'code', files, private: true });
    github.setPermission(name, 'rita', 'write');
  }
  const settings = { [settingsPath]: writeSettings(owner, { isShared }) };
  await rita.pushCommit(repository.fullName, 'main', settings, 'Follow the code');
  const address = `${url}/v2/agent/${projectId}/automation`;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const until = (what: string, isReached: (state: { state: string; waiting: number }) => boolean) =>
    eventually(
      async () => {
        const [found] = listed.parse(await (await fetch(address, { headers })).json()).automations;
        return (found && isReached(found)) || undefined;
      },
      { what },
    );
  await until('the automation is active', ({ state }) => state === 'active');
  let files = code;
  for (const [index, change] of merged.entries()) {
    const head = `change-${index + 1}`;
    await rita.pushCommit(name, head, Object.fromEntries(listEdits(files, change)), change.title);
    const pullRequest = { title: change.title, body: change.body ?? '', head, base: 'main' };
    const { number } = await rita.openPullRequest(name, pullRequest);
    await rita.mergePullRequest(name, number);
    files = merge(files, change);
  }
  await until('what was merged waits', ({ waiting }) => waiting === merged.length);
  const answer = await fetch(`${address}/${automation}/run`, { method: 'POST', headers, body: '{}' });
  return z.object({ id: z.string() }).parse(await answer.json()).id;
}

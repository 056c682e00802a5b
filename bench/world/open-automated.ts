import { z } from 'zod';
import { eventually } from '../../harness/eventually.ts';
import type { AutomationState } from '../../src/automations/describe-automations.ts';
import type { BenchWorld } from './open-world.ts';

const listed = z.object({ automations: z.array(z.object({ state: z.string(), waiting: z.number() })) });

/** An automation `follow` of the world's repository, which merged pull requests of the same trigger. */
export async function openAutomated(
  { rita, repository: { fullName }, url, projectId, headers }: BenchWorld,
  { every }: { every: AutomationState['every'] },
) {
  const settings = `automations:
  follow:
    on: {merged: ${fullName}}
    every: ${every}
    prompt: Bring the documentation in line with these changes.
`;
  const address = `${url}/v2/agent/${projectId}/automation`;
  const until = (isReached: (state: { state: string; waiting: number }) => boolean) =>
    eventually(async () => {
      const [found] = listed.parse(await (await fetch(address, { headers })).json()).automations;
      return (found && isReached(found)) || undefined;
    });
  await rita.pushCommit(fullName, 'main', { '.github/pagewright.yml': settings }, 'Follow the code');
  await until(({ state }) => state === 'active');
  let count = 0;
  return {
    /** Returns when it was merged. */
    async merge(path: string, text: string): Promise<number> {
      count += 1;
      const [title, head] = [`Change ${count}`, `change-${count}`];
      await rita.pushCommit(fullName, head, { [path]: text }, title);
      const { number } = await rita.openPullRequest(fullName, { title, head, base: 'main' });
      const mergedAt = Date.now();
      await rita.mergePullRequest(fullName, number);
      return mergedAt;
    },
    untilWaiting: (wanted: number) => until(({ waiting }) => waiting === wanted),
    /** Takes up what waits, and returns the id of the job. */
    async run(): Promise<string> {
      const answer = await fetch(`${address}/follow/run`, { method: 'POST', headers, body: '{}' });
      return z.object({ id: z.string() }).parse(await answer.json()).id;
    },
  };
}

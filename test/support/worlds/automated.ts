import { z } from 'zod';
import type { createCaller } from '../../../harness/caller.ts';
import { eventually } from '../../../harness/eventually.ts';
import type { Script } from '../../../local/model/script.ts';
import { untilProcessed } from './until-processed.ts';
import type { Workshop } from './workshop.ts';

const files = {
  'index.md': '# Acme\n\nWelcome.\n',
  'limits.md': '# Limits\n\n60 requests per minute.\n',
  'src/limits.ts': 'export const perMinute = 60;\n',
};

const listed = z.object({
  automations: z.array(
    z.looseObject({
      name: z.string(),
      state: z.string(),
      waiting: z.number(),
      problem: z.string().nullable(),
      nextRunAt: z.string().nullable(),
      lastRun: z.looseObject({ jobId: z.string(), result: z.string(), sentence: z.string() }).nullable(),
      passedOver: z.array(z.looseObject({ occasion: z.string(), reason: z.string() })),
    }),
  ),
});

/** A repository with code, documentation and one automation `limits`, which is in force when this resolves. */
export async function openAutomated(
  shop: Workshop,
  owner: string,
  { lines = '', script }: { lines?: string; script: Script },
) {
  const there = await shop.openProject(owner, files);
  const { world, caller, name } = there;
  const rita = world.github.asPerson('rita');
  const prompt = `Bring the limits of ${owner} in line with these changes.`;
  shop.choices.push({ when: prompt, script });
  const settings = `automations:\n  limits:\n    on: {merged: ${name}, paths: [src/**]}\n    prompt: ${prompt}\n${lines}`;
  await rita.pushCommit(name, 'main', { '.github/pagewright.yml': settings }, 'Document limits');
  await untilProcessed(world);
  const base = `${shop.service.url}/v2/agent/${world.projectId}`;
  const headers = { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' };
  let count = 0;
  return {
    ...there,
    rita,
    headers,
    prompt,
    /** Merges a pull request and returns its number. */
    async merge(title: string, { path = 'src/limits.ts', body = '', by = rita } = {}): Promise<number> {
      count += 1;
      const head = `change-${count}`;
      await by.pushCommit(name, head, { [path]: `export const perMinute = ${60 + count};\n` }, title);
      const { number } = await by.openPullRequest(name, { title, head, base: 'main', body });
      await rita.mergePullRequest(name, number);
      return number;
    },
    async automation() {
      const answer = await fetch(`${base}/automation`, { headers });
      const [first] = listed.parse(await answer.json()).automations;
      if (!first) throw new Error('there is no automation');
      return first;
    },
    ask: (path: string, body?: object, more: Record<string, string> = {}) =>
      fetch(`${base}/automation/limits/${path}`, {
        method: 'POST',
        headers: { ...headers, ...more },
        ...(body && { body: JSON.stringify(body) }),
      }),
    jobs: async () => {
      const answer = await caller.call('GET', '?automation=limits');
      return z.object({ jobs: z.array(z.looseObject({ id: z.string(), status: z.string() })) }).parse(answer).jobs;
    },
  };
}

/** The first job of an automation, when it is no longer active. */
export const firstJob = async ({
  jobs,
  caller,
}: {
  jobs: () => Promise<{ id: string }[]>;
  caller: ReturnType<typeof createCaller>;
}) => {
  const [job] = await eventually(async () => {
    const found = await jobs();
    return found.length > 0 ? found : undefined;
  });
  if (!job) throw new Error('there is no job');
  return caller.settled(job.id);
};

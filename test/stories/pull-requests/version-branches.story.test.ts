import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../../../harness/eventually.ts';
import { edit, finish } from '../../../harness/script-steps.ts';
import { steps } from '../../../local/model/script.ts';
import { listen } from '../../support/worlds/conversation.ts';
import { openWorkshop, type Workshop } from '../../support/worlds/workshop.ts';

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop[Symbol.asyncDispose]());

const correct = edit('limits.md', '60 requests', '100 requests');
const done = finish('The limit is 100 now.', { title: 'Correct the limit', description: 'Says 100.' });
const listed = z.object({ jobs: z.array(z.looseObject({ id: z.string(), status: z.string() })) });

test('a merged change is made on the other branches of the settings, once, and the pull request says where', async () => {
  const files = {
    'limits.md': '60 requests\n',
    '.github/pagewright.yml': 'also_to: [main, release/2.x, release/1.x]\n',
  };
  const { create, name, github, caller, world } = await shop.createIn('versions', files);
  const rita = world.github.asPerson('rita');
  for (const branch of ['release/2.x', 'release/1.x'])
    await rita.pushCommit(name, branch, { [`${branch.slice(8)}.md`]: 'A version.\n' }, 'Keep a version');
  const { heard, listening } = listen(steps([correct, done]));
  shop.choices.push({ when: 'on the branch release/2.x', script: listening });
  shop.choices.push({
    when: 'on the branch release/1.x',
    script: steps([finish('Version 1 has no limit, so nothing fits.')]),
  });
  const job = await create('Say 100.', [steps([correct, done])]);
  const number = await job.number();
  await rita.mergePullRequest(name, number);
  const bodies = await eventually(
    async () => {
      const found = (await github.comments(number)).map(({ body = '' }) => body.split('\n\n<!--')[0]);
      return found.length >= 2 ? found : undefined;
    },
    { withinMs: 60_000 },
  );
  const made = (await github.pullRequests()).find((each) => each.base.ref === 'release/2.x');
  expect(bodies.toSorted()).toEqual([
    'On `release/1.x`: Version 1 has no limit, so nothing fits.',
    `On \`release/2.x\`: The change is in ${made?.html_url}.\n\nThe limit is 100 now.`,
  ]);
  expect(heard[0]).toContain('100 requests');
  expect(made?.body).toContain(`For #${number}`);

  await rita.pushCommit(name, 'feature', { 'limits.md': '80 requests\n' }, 'Begin');
  const stacked = await create('Say 90.', [steps([edit('limits.md', '80', '90'), done])], { ref: 'feature' });
  for (const merged of [made?.number ?? 0, await stacked.number()]) await rita.mergePullRequest(name, merged);
  await caller.until(stacked.id, ({ status }) => status === 'archived');
  await shop.untilQuiet();
  const { jobs } = listed.parse(await caller.call('GET', ''));
  expect(jobs.map(({ status }) => status).toSorted()).toEqual(['archived', 'archived', 'archived', 'completed']);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../../../harness/eventually.ts';
import { edit, finish } from '../../../harness/script-steps.ts';
import type { Script } from '../../../local/model/script.ts';
import { readRuns } from '../../support/worlds/scenario.ts';
import { untilProcessed } from '../../support/worlds/until-processed.ts';
import { openWorkshop, type Workshop } from '../../support/worlds/workshop.ts';

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop[Symbol.asyncDispose]());

const evidence = [{ page: 'limits.md', claim: 'The limit is 100.', path: '@acme/code/src/limits.ts', lines: '1' }];
const correct: Script = ({ turn }) =>
  turn === 0
    ? edit('limits.md', '60 requests', '100 requests')
    : finish('The limit is 100 now.', { title: 'Correct the limit', description: 'Says 100.', evidence });

const state = z.object({
  automations: z.array(
    z.looseObject({
      name: z.string(),
      state: z.string(),
      problem: z.string().nullable(),
      passedOver: z.array(z.unknown()),
    }),
  ),
});

test('promises 37 and 38: code in another repository triggers a run once both sides say so; a label and a release do, too', async () => {
  const { world, caller, service, choices, github, name } = shop;
  const rita = world.github.asPerson('rita');
  const code = await world.github.addRepository({
    owner: 'acme',
    name: 'code',
    files: { 'src/limits.ts': 'export const perMinute = 60;\n' },
  });
  world.github.setPermission(code.fullName, 'rita', 'write');
  for (const when of ['Follow the code.', 'Note the release.', 'Document the issue.'])
    choices.push({ when, script: correct });
  const settings = `context: [acme/code]
automations:
  follow:
    on: {merged: acme/code}
    prompt: Follow the code.
  notes:
    on: {released: acme/code}
    prompt: Note the release.
  asked:
    on: {label: needs-docs}
    prompt: Document the issue.
`;
  await rita.pushCommit(name, 'main', { '.github/pagewright.yml': settings }, 'Follow the code');
  await untilProcessed(world);
  const read = async () => {
    const headers = { authorization: `Bearer ${world.key}` };
    const answer = await fetch(`${service.url}/v2/agent/${world.projectId}/automation`, { headers });
    return state.parse(await answer.json()).automations;
  };
  const [, follow] = await read();
  expect(follow).toMatchObject({ name: 'follow', state: 'broken' });
  expect(follow?.problem).toContain('documentation: acme/docs');
  await rita.pushCommit(code.fullName, 'main', { '.github/pagewright.yml': 'documentation: acme/docs\n' }, 'Agree');
  // The delivery of the push may still be on its way.
  await eventually(async () => (await read()).every((each) => each.state === 'active') || undefined);

  await rita.pushCommit(code.fullName, 'raise', { 'src/limits.ts': 'export const perMinute = 100;\n' }, 'Raise it');
  const { number } = await rita.openPullRequest(code.fullName, {
    title: 'Raise the limit',
    head: 'raise',
    base: 'main',
  });
  await rita.mergePullRequest(code.fullName, number);
  const firstOf = async (automation: string) => {
    const [job] = await eventually(async () => {
      const answer = z
        .object({ jobs: z.array(z.looseObject({ id: z.string() })) })
        .parse(await caller.call('GET', `?automation=${automation}`));
      return answer.jobs.length > 0 ? answer.jobs : undefined;
    });
    return caller.settled(job?.id ?? '');
  };
  const followed = await firstOf('follow');
  const body = (await github.pullRequest(Number(followed.prLink?.split('/').at(-1)))).body ?? '';
  expect(body).toContain(`- acme/code#${number}: Raise the limit, by rita`);
  expect(body).toContain('/blob/');
  expect(body.indexOf('<details>')).toBeLessThan(2_500);

  rita.renameRepository(code.fullName, 'backend');
  const renamed = 'acme/backend';
  await rita.pushCommit(renamed, 'lower', { 'src/limits.ts': 'export const perMinute = 90;\n' }, 'Lower it');
  const later = await rita.openPullRequest(renamed, { title: 'Lower the limit', head: 'lower', base: 'main' });
  await rita.mergePullRequest(renamed, later.number);
  const { runs } = await eventually(async () => {
    const found = await readRuns(caller, followed.id);
    return found.runs.length === 2 && found.runs.every(({ status }) => status === 'ended') ? found : undefined;
  });
  expect(runs.map(({ code }) => code)).not.toContain('failed');
  expect((await read()).map(({ passedOver }) => passedOver)).toEqual([[], [], []]);

  rita.createRelease(renamed, { tag: 'v2.0', body: 'Faster.' });
  expect((await firstOf('notes')).prLink).not.toBeNull();
  const issue = rita.openIssue(name, { title: 'The limit is wrong', body: 'It is 100.' });
  rita.labelIssue(issue, 'Needs-Docs');
  const asked = await firstOf('asked');
  expect(asked.prLink).not.toBeNull();
  const comments = await eventually(async () => {
    const found = await github.comments(issue.number);
    return found.length > 0 ? found : undefined;
  });
  expect(comments).toHaveLength(1);
  expect(comments[0]?.body).toContain(asked.prLink);
  const heard = world.model.requests.map(({ body: sent }) => JSON.stringify(sent)).join('\n');
  expect(heard).toContain('Faster.');
  expect(heard).toContain('It is 100.');
});

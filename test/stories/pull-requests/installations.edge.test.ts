import { expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { edit, finish } from '../../../harness/script-steps.ts';
import { steps } from '../../../local/model/script.ts';
import { catchUp, createParts } from '../../deliveries/create-parts.ts';
import { openConversation } from '../../support/worlds/conversation.ts';
import { lookedAfter } from '../../support/worlds/looked-after.ts';
import { lookAt, readRuns } from '../../support/worlds/scenario.ts';
import { untilProcessed } from '../../support/worlds/until-processed.ts';

const cheerUp = steps([edit('index.md', 'Welcome.', 'Welcome!'), finish('It is happier now.')]);

test.concurrent('a repository that moves to another account with the App continues there, also when its removal is delivered first', async () => {
  await using made = await openConversation({ later: [cheerUp] });
  const { world, caller, id, name, number, rita } = made;
  const { github } = world;
  github.addUser('globex', { type: 'Organization' });
  github.install({ account: 'globex', repositories: 'all' });
  await untilProcessed(world);
  const isTransfer = ({ event, action }: { event: string; action: string | null }) =>
    event === 'repository' && action === 'transferred';
  github.deliveries.fail(isTransfer);
  rita.transferRepository(name, 'globex');
  // Something that has the old installation looked at.
  github.setInstallationPermissions(world.installationId, {
    contents: 'write',
    issues: 'write',
    pull_requests: 'write',
  });
  await untilProcessed(world);
  expect(await caller.get(id)).toMatchObject({ status: 'completed' });

  await catchUp(createParts(world));
  rita.comment('globex/docs', number, 'Happier, please.');
  const [, second] = await made.untilRuns(2);
  expect(second).toMatchObject({ code: 'published' });
  const there = lookAt({ ...world, repository: { ...world.repository, fullName: 'globex/docs' } });
  expect(await there.commits(made.branch)).toContain(second?.commit);
  expect(await caller.get(id)).toMatchObject({ source: { repository: `${github.webUrl}/globex/docs` } });
});

test.concurrent('promise 21: a suspended installation gets no requests, and a missed unsuspend event is detected', async () => {
  await using made = await openConversation({ later: [cheerUp] });
  const { world, caller, id } = made;
  const { github, installationId } = world;
  const parts = createParts(world);
  await lookedAfter(world);
  await made.untilQuiet();
  github.suspend(installationId);
  await eventually(async () => {
    const found = world.database.database.selectFrom('installations').select('suspended_at');
    return (await found.executeTakeFirst())?.suspended_at ?? undefined;
  });
  const before = github.requests.length;
  await caller.message(id, 'Happier, please.');
  await catchUp(parts);
  const asked = github.requests.slice(before).map(({ path }) => path);
  expect(asked).toEqual(expect.arrayContaining(['/app/installations', '/app/hook/deliveries']));
  expect(asked.filter((path) => !['/app', '/app/installations', '/app/hook/deliveries'].includes(path))).toEqual([]);
  expect(await readRuns(caller, id)).toMatchObject({ waiting: [{ prompt: 'Happier, please.' }] });

  github.deliveries.drop();
  github.unsuspend(installationId);
  await catchUp(parts);
  expect((await made.untilRuns(2))[1]).toMatchObject({ code: 'published' });
});

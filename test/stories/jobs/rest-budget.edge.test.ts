import { expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { edit, finish } from '../../../harness/script-steps.ts';
import { type Script, steps } from '../../../local/model/script.ts';
import { oneRun } from '../../support/worlds/correction.ts';
import { openWorkshop } from '../../support/worlds/workshop.ts';

const cheer: Script = steps([edit('index.md', 'Welcome.', 'Welcome!'), finish('It is happier now.')]);

const mint = 'POST /app/installations/:installation_id/access_tokens';
const revoke = 'DELETE /installation/token';

// The bounds: 6 requests for a first run beside rules, 6 for a follow-up by a comment beside replies and reactions.
test('a first run sends GitHub’s API 5 requests besides the rules, and a follow-up 6 besides the rules and its comments', async () => {
  await using shop = await openWorkshop();
  const { world, rita, name } = shop;
  const { requests } = world.github;
  const count = async (work: () => Promise<unknown>) => {
    const seen = requests.length;
    await work();
    await shop.untilQuiet();
    return requests.slice(seen).flatMap(({ api, route }) => (api === 'git' ? [] : [route]));
  };
  // What a start looks after, before there is a pull request to be looked at.
  for (const asked of ['GET /app/hook/deliveries', 'GET /repos/:owner/:repo/contents{/*path}'])
    await eventually(() => requests.some(({ route, status }) => route === asked && status !== null) || undefined);
  // Whatever is asked once per process, or for the first person.
  const earlier = await shop.create('Warm up', [oneRun, cheer]);
  rita.comment(name, await earlier.number(), 'Happier, please.');
  await shop.caller.until(earlier.id, ({ status }) => status === 'active');
  await earlier.settled();
  await shop.untilQuiet();

  const scripts = [oneRun, cheer, steps([edit('index.md', 'Welcome!', 'Hello!'), finish('Hello it is.')])];
  const job = await shop.create('Measured', scripts);
  const first = await count(job.settled);
  const rules = 'GET /repos/:owner/:repo/rules/branches/*branch';
  const isInstalled = 'GET /repos/:owner/:repo/installation';
  const open = 'POST /repos/:owner/:repo/pulls';
  // The rules and the installation are asked for at the same time.
  expect(first.toSorted()).toEqual([mint, isInstalled, rules, mint, open, revoke].toSorted());

  const number = await job.number();
  const followUp = await count(async () => {
    rita.comment(name, number, 'Hello, please.');
    await job.untilRuns(2);
  });
  // With the token of the reaction before.
  const shown = ['POST /repos/:owner/:repo/issues/comments/:comment_id/reactions'];
  const answered = 'POST /repos/:owner/:repo/issues/:number/comments';
  const pull = '/repos/:owner/:repo/pulls/:number';
  // Never remembered: whether the person may still prompt.
  const mayPrompt = 'GET /repos/:owner/:repo/collaborators/:login/permission';
  // The branch has the name of its pull request now, which had no title before.
  const worked = [mint, mint, mayPrompt, rules, `GET ${pull}`, `PATCH ${pull}`, revoke];
  expect(followUp.toSorted()).toEqual([...shown, answered, ...worked].toSorted());
});

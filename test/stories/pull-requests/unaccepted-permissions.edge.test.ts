import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { edit, finish } from '../../../harness/script-steps.ts';
import { steps } from '../../../local/model/script.ts';
import { openWorkshop, type Workshop } from '../../support/worlds/workshop.ts';

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop[Symbol.asyncDispose]());

const before = { metadata: 'read', contents: 'write', pull_requests: 'write', issues: 'write' } as const;
const after = { ...before, checks: 'write', statuses: 'read', actions: 'read', deployments: 'read' } as const;
const raise = steps([edit('limits.md', '60 requests', '100 requests'), finish('The limit is 100.')]);
const praise = steps([edit('limits.md', '100 requests', '100 fine requests'), finish('Finer.')]);
const extend = steps([edit('index.md', 'Welcome.', 'Welcome all.'), finish('All are welcome.')]);

test('an owner who has not accepted new permissions loses nothing that worked, and what waited comes afterwards', async () => {
  const there = await shop.createIn('patient', {
    'index.md': '# Acme\n\nWelcome.\n',
    'limits.md': '# Limits\n\n60 requests per minute.\n',
    '.github/pagewright.yml': 'checks: advise\n',
  });
  const { world, name, github, create } = there;
  const rita = world.github.asPerson('rita');
  world.github.setInstallationPermissions(world.installationId, before);
  const job = await create('Raise the limit.', [raise, praise]);
  const number = await job.number();
  expect(await job.runs()).toMatchObject([
    { code: 'published', warnings: [expect.stringContaining('`checks: write`')] },
  ]);
  rita.comment(name, number, 'Finer, please.');
  await job.untilRuns(2);
  shop.choices.push({ when: 'welcome all of them', script: extend });
  const issue = rita.openIssue(name, { title: 'Rude', body: '@pagewright-test welcome all of them' });
  await eventually(async () => ((await github.comments(issue.number)).length > 0 ? true : undefined));
  await rita.setStatus(name, { sha: (await github.pullRequest(number)).head.sha, state: 'failure', context: 'ci' });
  const headSha = await rita.pushCommit(name, 'topic', { 'index.md': '# Acme\n\n[Gone](gone.md)\n' }, 'Change');
  const theirs = await rita.openPullRequest(name, { title: 'Change', head: 'topic', base: 'main' });
  await shop.untilQuiet();
  const rows = () => world.database.database.selectFrom('pull_request_checks').selectAll().where('sha', '=', headSha);
  const [row] = await eventually(async () => {
    const found = await rows().execute();
    return found.some(({ state }) => state !== 'waiting') ? found : undefined;
  });
  expect(row).toMatchObject({ state: 'passed', reason: expect.stringContaining('checks=write') });
  expect(rita.listChecks(name)).toEqual([]);

  world.github.setInstallationPermissions(world.installationId, after);
  await rita.closePullRequest(name, theirs.number);
  await rita.reopenPullRequest(name, theirs.number);
  await eventually(async () => rita.listChecks(name).find((check) => check.headSha === headSha && check.conclusion));
  expect(world.github.duplicates()).toEqual([]);
});

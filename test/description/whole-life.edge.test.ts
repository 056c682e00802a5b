import { expect, test } from 'vitest';
import { edit, finish } from '../../harness/script-steps.ts';
import type { Exchange } from '../../local/github/api/exchange.ts';
import { steps } from '../../local/model/script.ts';
import { catchUp, createParts } from '../deliveries/create-parts.ts';
import { openStage } from '../support/worlds/conversation.ts';
import { untilProcessed } from '../support/worlds/until-processed.ts';
import { createInspector } from './create-inspector.ts';

const files = {
  'index.md': '# Acme\n\nWelcome.\n',
  'limits.md': '# Limits\n\n60 requests per minute.\n',
  '.github/pagewright.yml': 'labels: [docs]\nreviewers: [mona, nobody]\n',
};
const cheerUp = steps([edit('index.md', 'Welcome.', 'Welcome!'), finish('It is happier now.')]);
const nothing = steps([finish('It is fine as it is.')]);

test('every request, answer and webhook in the life of two jobs is as GitHub describes it', async () => {
  const exchanges: Exchange[] = [];
  await using stage = await openStage({ files, onExchange: (exchange) => void exchanges.push(exchange) });
  const { world, caller, rita, name } = stage;
  const { github } = world;
  github.addUser('nobody');
  stage.person('mona', 'write');
  github.setRules(
    name,
    'pagewright/**',
    [
      { type: 'update' },
      { type: 'pull_request' },
      { type: 'required_status_checks', parameters: { required_status_checks: [{ context: 'build' }] } },
      { type: 'branch_name_pattern', parameters: { operator: 'starts_with', pattern: 'docs/' } },
    ],
    { canBypass: true },
  );

  const job = await stage.open([cheerUp, nothing]);
  rita.comment(name, job.number, 'Happier, please.');
  await job.untilRuns(2);
  const line = { path: 'limits.md', line: 3, body: 'Per minute?' };
  await rita.review(name, job.number, { body: 'Nearly.', comments: [line] });
  await job.untilRuns(3);
  rita.comment(name, job.number, '@pagewright-test stop');
  await job.untilQuiet();
  await rita.editPullRequest(name, job.number, { title: 'Other words' });
  await rita.closePullRequest(name, job.number);
  await caller.until(job.id, ({ status }) => status === 'archived');
  await rita.reopenPullRequest(name, job.number);
  await caller.until(job.id, ({ status }) => status === 'completed');

  github.setRules(name, 'pagewright/**', []);
  github.setRules(name, 'pagewright/*', [{ type: 'required_signatures' }]);
  await rita.pushCommit(name, 'main', { '.github/pagewright.yml': 'labels: [docs]\n' }, 'Ask nobody');
  github.deliveries.fail(({ event }) => event === 'pull_request');
  const signed = await stage.open();
  await rita.closePullRequest(name, signed.number);
  await rita.mergePullRequest(name, job.number);
  await caller.until(job.id, ({ status }) => status === 'archived');
  await catchUp(createParts(world));
  await untilProcessed(world);

  const { installationId } = world;
  await rita.pushCommit(name, 'next', { 'next.md': 'Next.\n' }, 'Next');
  rita.setDefaultBranch(name, 'next');
  rita.renameRepository(name, 'manual');
  github.suspend(installationId);
  github.unsuspend(installationId);
  await github.addRepository({ owner: 'acme', name: 'other', files: { 'index.md': 'Other.\n' } });
  github.selectRepositories(installationId, ['manual']);
  github.addToInstallation(installationId, ['other']);
  github.removeFromInstallation(installationId, ['other']);
  github.setInstallationPermissions(installationId, { contents: 'write', pull_requests: 'write' });
  github.install({ account: 'globex', repositories: 'all' });
  rita.transferRepository('acme/manual', 'globex');
  rita.deleteRepository('globex/manual');
  github.uninstall(installationId);
  await untilProcessed(world);

  const inspector = createInspector();
  const deliveries = github.deliveries.log;
  const violations = [
    ...exchanges.flatMap(inspector.inspectExchange),
    ...deliveries.flatMap(inspector.inspectDelivery),
  ];
  const events = new Set(deliveries.map(({ event, action }) => [event, action].filter(Boolean).join('.')));
  console.info(`${exchanges.length} requests, ${deliveries.length} webhooks, ${violations.length} violations`);
  expect([...new Set(violations)]).toEqual([]);
  expect(events.size).toBeGreaterThanOrEqual(20);
  expect(new Set(exchanges.map(({ method, path }) => `${method} ${path}`)).size).toBeGreaterThanOrEqual(20);
});

import { expect, test } from 'vitest';
import { eventually } from '../../harness/eventually.ts';
import { edit, finish } from '../../harness/script-steps.ts';
import type { Exchange } from '../../local/github/api/exchange.ts';
import { steps } from '../../local/model/script.ts';
import { openStage } from '../support/worlds/conversation.ts';
import { untilProcessed } from '../support/worlds/until-processed.ts';
import { createInspector } from './create-inspector.ts';

const files = {
  'index.md': '# Acme\n\nWelcome.\n',
  'limits.md': '# Limits\n\n60 requests per minute.\n',
  '.github/pagewright.yml': 'checks: advise\n',
};
const correct = steps([edit('index.md', 'Welcome.', 'Welcome!'), finish('It is happier.')]);

test('every request, answer and webhook about checks, statuses and deployments is as GitHub describes it', async () => {
  const exchanges: Exchange[] = [];
  await using stage = await openStage({ files, onExchange: (exchange) => void exchanges.push(exchange) });
  const { world, rita, name } = stage;
  await rita.pushCommit(name, 'main', { '.github/pagewright.yml': 'checks: advise\nfix_checks: 3\n' }, 'Check');
  await untilProcessed(world);
  const job = await stage.open([correct]);
  const [ours] = await eventually(async () => {
    const found = rita.listChecks(name).filter(({ status }) => status === 'completed');
    return found.length > 0 ? found : undefined;
  });
  if (ours) rita.rerunCheck(name, ours);
  const sha = ours?.headSha ?? '';
  rita.deploy(name, {
    sha,
    ref: 'x',
    environment: 'Preview',
    state: 'success',
    environmentUrl: 'https://x.example.com',
  });
  await rita.setStatus(name, {
    sha,
    state: 'error',
    context: 'ci/docs',
    description: 'Broken',
    targetUrl: 'https://ci.example.com',
  });
  const annotation = {
    path: 'index.md',
    startLine: 3,
    endLine: 3,
    level: 'failure' as const,
    message: 'Too loud',
    title: null,
  };
  rita.report(name, {
    name: 'vale',
    headSha: sha,
    conclusion: 'failure',
    log: '##[error]loud',
    annotations: [annotation],
  });
  await job.untilRuns(2);
  await untilProcessed(world);
  const inspector = createInspector();
  const deliveries = world.github.deliveries.log;
  const violations = [
    // A log is no JSON, and the description knows no names of refs with a slash.
    ...exchanges
      .filter(({ path }) => !path.endsWith('/logs'))
      .map((exchange) => ({ ...exchange, path: exchange.path.replace('heads/', '') }))
      .flatMap(inspector.inspectExchange),
    ...deliveries.flatMap(inspector.inspectDelivery),
  ];
  expect([...new Set(violations)]).toEqual([]);
  const asked = new Set(exchanges.map(({ method, path }) => `${method} ${path.replace(/[0-9a-f]{40}|\d+/g, '1')}`));
  for (const path of ['GET /repos/acme/docs/commits/1/check-runs', 'POST /repos/acme/docs/check-runs'])
    expect(asked).toContain(path);
});

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { edit, finish, hold, perRun } from '../../../harness/script-steps.ts';
import { startInWorld } from '../../../harness/start-service.ts';
import { steps } from '../../../local/model/script.ts';
import {
  dumpDatabase,
  findSecrets,
  readProcesses,
  readTree,
  startTokenCollector,
} from '../../support/values/canaries.ts';
import { lookAt } from '../../support/worlds/scenario.ts';
import { createWorld } from '../../support/worlds/world.ts';

test('promise 4: secrets stay in their intended places, during a job and after it', async () => {
  const editing = hold(edit('limits.md', '60 requests', '100 requests'));
  const first = steps([editing.step, finish('Done.', { title: 'Correct the limit', description: 'Says 100.' })]);
  const second = steps([edit('index.md', 'Welcome.', 'Welcome!'), finish('Done.')]);
  await using world = await createWorld({ script: perRun([first, second]) });
  await using collector = await startTokenCollector(world.github.apiUrl);
  await using service = await startInWorld(world, { GITHUB_API_URL: collector.url, LOG_LEVEL: 'trace' });
  const { caller } = service;
  const { PRIVATE_KEY = '', WEBHOOK_SECRET = '', OPENAI_API_KEY = '', DATA_DIR = '' } = world.environment;
  const secrets = () => ({
    privateKey: PRIVATE_KEY,
    webhookSecret: WEBHOOK_SECRET,
    modelKey: OPENAI_API_KEY,
    apiKey: world.key,
    ...Object.fromEntries(collector.tokens.map((token, index) => [`token ${index}`, token])),
  });
  const pushing = world.github.inject({ kind: 'hold-before', path: /git-receive-pack$/ });

  const { id } = await caller.create('Make it 100.');
  await editing.asked;
  expect(collector.tokens.length).toBeGreaterThan(0);
  expect(findSecrets(secrets(), await readTree(DATA_DIR))).toEqual([]);
  editing.release();
  await eventually(() => pushing.hits() || undefined);
  expect(findSecrets(secrets(), await readTree(DATA_DIR))).toEqual([]);
  if (process.platform === 'linux') {
    const processes = await readProcesses(join(DATA_DIR, 'mirrors'));
    expect(processes.length).toBeGreaterThan(0);
    const { privateKey, webhookSecret, modelKey, apiKey } = secrets();
    for (const { command, environment } of processes) {
      expect(findSecrets(secrets(), command)).toEqual([]);
      expect(findSecrets({ privateKey, webhookSecret, modelKey, apiKey }, environment)).toEqual([]);
    }
  }
  pushing.release();
  await caller.settled(id);
  await caller.message(id, 'Happier.');
  await caller.settled(id);

  const tokens = collector.tokens.length;
  expect(tokens).toBeGreaterThanOrEqual(4);
  for (const { headers, body } of world.model.requests) {
    const { authorization, ...others } = headers;
    expect(authorization).toBe(`Bearer ${OPENAI_API_KEY}`);
    expect(findSecrets(secrets(), JSON.stringify([others, body]))).toEqual([]);
  }
  const github = lookAt(world);
  const objects = await github.git('cat-file', '--batch-all-objects', '--batch');
  expect(objects).toContain('Pagewright-Run:');
  const pullRequest = JSON.stringify([await github.pullRequest(1), await github.comments(1)]);
  const dump = await dumpDatabase(world.database.database);
  expect(dump).toContain(id);
  const places = { log: service.lines.join(''), disk: await readTree(DATA_DIR), objects, pullRequest, dump };
  for (const [place, text] of Object.entries(places)) {
    expect([place, findSecrets(secrets(), text)]).toEqual([place, []]);
  }
});

test('promise 4: a secret that a person pastes or a model repeats is redacted in everything published', async () => {
  const secret = 'sk-model-key-of-the-test-world';
  const words = finish(`Used ${secret}.`, { title: `Title ${secret}`, description: `Description ${secret}.` });
  await using world = await createWorld({ script: steps([edit('limits.md', '60', '100'), words]) });
  await using service = await startInWorld(world);
  const { id } = await service.caller.create(`Make it 100. My key is ${secret}.`);
  const { source } = await service.caller.settled(id);
  const github = lookAt(world);
  const { title, body } = await github.pullRequest(1);
  expect(title).toBe('Title [secret]');
  expect(body).toContain('Description [secret].');
  expect(body).toContain('My key is [secret].');
  expect(await github.git('log', '-1', '--format=%B', source.ref)).toContain('Used [secret].');
  expect(findSecrets({ secret }, [title, body, source.ref, service.lines.join('')].join('\n'))).toEqual([]);
});

// What an operator does, from the first look to another server, each step by `bin/pagewright`.
import { rename, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createCaller } from '../../harness/caller.ts';
import { judgeEvents } from '../../harness/judge-events.ts';
import { spawnService } from '../../harness/processes/spawn-service.ts';
import { startReceiver } from '../../harness/start-receiver.ts';
import { createSilentLog } from '../../src/log.ts';
import { startEmbeddedPostgres } from '../../src/store/embedded/embedded-postgres.ts';
import { createDatabase } from '../../src/store/postgres/database.ts';
import { followInstruction } from '../reliability/instructed-model.ts';
import { runPagewright } from '../support/run/run-pagewright.ts';
import { createWorld } from '../support/worlds/world.ts';

// It starts a dozen processes, which a busy machine takes its time for.
vi.setConfig({ testTimeout: 240_000 });

const text = z.looseObject({}).catchall(z.unknown());

test('promise 2: a service on a restored backup has all that was accepted before, after a storm of requests', async () => {
  await using world = await createWorld({ script: followInstruction });
  await using receiver = await startReceiver({ answer: () => ({ status: 204 }) });
  const dataDir = join(world.directory, 'embedded');
  const environment = { DATA_DIR: dataDir, DATABASE_URL: '', WEBHOOK_ALLOWED_HOSTS: receiver.host };
  const run = async (...args: string[]) => {
    const ended = await runPagewright(args, {
      cwd: world.directory,
      environment: { ...world.environment, ...environment },
    });
    expect([args[0], ended.code, ended.stderr]).toEqual([args[0], 0, '']);
    return ended.stdout;
  };
  const start = () => spawnService(world, { environment, command: [resolve('bin/pagewright'), 'start'] });
  const readJson = async (...args: string[]) => text.parse(JSON.parse(await run(...args, '--json')));

  await using service = await start();
  const access = z
    .object({ projectId: z.string(), key: z.string(), keyId: z.string() })
    .parse(await readJson('keys', 'create', 'acme/docs', '--name', 'ci'));
  const revoked = z
    .object({ keyId: z.string(), key: z.string() })
    .parse(await readJson('keys', 'create', 'acme/docs', '--name', 'old'));
  await run('keys', 'revoke', revoked.keyId);
  await readJson('webhooks', 'create', 'acme/docs', receiver.url);
  const { jobId } = z
    .object({ jobId: z.string() })
    .parse(await readJson('jobs', 'create', 'acme/docs', 'First', '--detach'));
  const caller = createCaller({ url: service.url, project: access });
  await caller.settled(jobId);

  // Requests come while the backup is made: all that were accepted before it are in it.
  const accepted = new Map<string, string>();
  let isOver = false;
  const storm = Array.from({ length: 4 }, async (_, at) => {
    for (let n = 0; !isOver && n < 5; n++) {
      const prompt = `Storm-${at}.${n}`;
      accepted.set(prompt, (await caller.createOnce(prompt, prompt)).id);
    }
  });
  await expect.poll(() => accepted.size, { timeout: 60_000 }).toBeGreaterThan(5);
  const before = [...accepted];
  const file = join(world.directory, 'a.backup');
  const made = await readJson('backup', file);
  isOver = true;
  await Promise.all(storm);
  expect(made).toMatchObject({ file, bytes: (await stat(file)).size, secrets: ['secrets.key'] });
  await service.kill('SIGTERM');

  await rename(dataDir, `${dataDir}-lost`);
  expect(await readJson('restore', file)).toMatchObject({ dataDir, secrets: ['secrets.key'] });
  await using restored = await start();
  const there = createCaller({ url: restored.url, project: access });
  for (const id of [jobId, ...before.map(([, id]) => id)])
    expect(await there.settled(id)).toMatchObject({ status: 'completed' });
  // Each request is known again by its key.
  for (const [prompt, id] of before) expect((await there.createOnce(prompt, prompt)).id).toBe(id);
  const withRevoked = await fetch(`${restored.url}/v2/agent/${access.projectId}/job/${jobId}`, {
    headers: { authorization: `Bearer ${revoked.key}` },
  });
  expect(withRevoked.status).toBe(401);
  // The secret of the webhook can be read: its key came back, too.
  expect(await run('webhooks', 'test', 'acme/docs', await findWebhookId(run))).toBe('delivered: 204\n');
  expect(world.github.duplicates()).toEqual([]);

  const { jobId: last } = z
    .object({ jobId: z.string() })
    .parse(await readJson('jobs', 'create', 'acme/docs', 'Last', '--detach'));
  expect(await there.settled(last)).toMatchObject({ status: 'completed' });
  await restored.kill('SIGTERM');
  expect(await judge(dataDir, [jobId, last, ...before.map(([, id]) => id)])).toEqual([]);
  expect(JSON.parse(await run('jobs', 'cancel', 'acme/docs', last, '--json'))).toEqual({
    jobId: last,
    status: 'completed',
  });
});

async function findWebhookId(run: (...args: string[]) => Promise<string>): Promise<string> {
  const listed = z.object({ webhooks: z.array(z.object({ webhookId: z.string() })) });
  const { webhooks } = listed.parse(JSON.parse(await run('webhooks', 'list', 'acme/docs', '--json')));
  return webhooks[0]?.webhookId ?? '';
}

/** What the events of these jobs tell wrongly. */
async function judge(dataDir: string, jobIds: readonly string[]): Promise<string[]> {
  await using server = await startEmbeddedPostgres({ dataDir });
  const log = createSilentLog();
  await using database = createDatabase({ connection: server.connection, log });
  const wrong: string[] = [];
  for (const jobId of jobIds) wrong.push(...(await judgeEvents(database, jobId)));
  return wrong;
}

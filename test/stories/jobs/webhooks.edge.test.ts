import { randomBytes } from 'node:crypto';
import { Webhook as Verifier } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../../../harness/eventually.ts';
import { finish } from '../../../harness/script-steps.ts';
import { startReceiver } from '../../../harness/start-receiver.ts';
import { startInWorld } from '../../../harness/start-service.ts';
import { steps } from '../../../local/model/script.ts';
import { createWorld, type World } from '../../support/worlds/world.ts';

const createWebhook = async (url: string, world: World, receiverUrl: string) => {
  const response = await fetch(`${url}/v2/agent/${world.projectId}/webhook`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: receiverUrl, events: ['job.completed'] }),
  });
  return { status: response.status, body: await response.json() };
};

test('promise 29: a worker signs with the secret that a web process stored, if both have the key', async () => {
  await using receiver = await startReceiver();
  await using world = await createWorld({ script: steps([finish('Nothing to do.')]) });
  const shared = { WEBHOOK_ALLOWED_HOSTS: receiver.host, SECRETS_KEY: randomBytes(32).toString('base64') };
  await using web = await startInWorld(world, { ...shared, ROLE: 'web' });
  await using _worker = await startInWorld(world, { ...shared, ROLE: 'worker' });
  const created = await createWebhook(web.url, world, receiver.url);
  const { secret } = z.object({ secret: z.string() }).parse(created.body);
  await web.caller.create('Look at it.');
  const post = await eventually(() => receiver.posts[0]);
  const verified = new Verifier(secret).verify(post.body, post.headers as Record<string, string>);
  expect(verified).toMatchObject({ type: 'job.completed' });
});

test('promise 29: a web process without the key refuses webhooks, and says to its operator what to do', async () => {
  await using world = await createWorld({ script: steps([]) });
  await using web = await startInWorld(world, { ROLE: 'web' });
  const { status, body } = await createWebhook(web.url, world, 'https://8.8.8.8/');
  expect([status, body]).toMatchObject([409, { type: 'urn:pagewright:problem:webhooks-not-configured' }]);
  expect(web.lines.join('')).toContain('SECRETS_KEY is not set: set it to the same value for all processes');
});

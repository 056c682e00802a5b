import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { createClient, PagewrightError, verifyWebhook, WebhookVerificationError } from '../../client/client.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
const json = (status: number, body: object, headers: Record<string, string> = {}): Answer => {
  return (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
};

/** A service that gives the answers in order, and the last one again. */
async function openService(...answers: Answer[]) {
  const requests: { line: string; key: string | undefined; lastEventId: string | undefined; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const { 'idempotency-key': key, 'last-event-id': lastEventId } = request.headers;
    requests.push({
      line: `${request.method} ${request.url}`,
      key: key?.toString(),
      lastEventId: lastEventId?.toString(),
      body: await text(request),
    });
    (answers.length > 1 ? answers.shift() : answers[0])?.(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    requests,
    client: createClient({ url, project: 'prj_1', key: 'pagewright_1', pollEveryMs: 1 }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

test('a request that the service could not answer is sent again with the same Idempotency-Key', async () => {
  await using service = await openService(
    json(503, {}),
    (request) => request.socket.destroy(),
    json(201, { id: 'job_1', status: 'active' }),
  );
  await expect(service.client.createJob({ prompt: 'Fix it.' })).resolves.toMatchObject({ id: 'job_1' });
  expect(new Set(service.requests.map(({ key }) => key)).size).toBe(1);
  expect(service.requests[2]).toMatchObject({ line: 'POST /v2/agent/prj_1/job', body: '{"prompt":"Fix it."}' });
});

test('a refusal is an error that says what to do', async () => {
  const problem = { type: 'urn:pagewright:problem:job-archived', detail: 'Create a new job.' };
  await using service = await openService(json(409, problem));
  const sent = service.client.sendMessage('job_1', { prompt: 'More.' });
  await expect(sent).rejects.toThrow(new PagewrightError(409, problem));
  await expect(sent).rejects.toMatchObject({ status: 409, problem, message: 'Create a new job.' });
  expect(service.requests).toHaveLength(1);
});

test('it waits until a job is no longer active', async () => {
  await using service = await openService(
    json(200, { status: 'active' }),
    json(200, { status: 'completed', prLink: 'x' }),
  );
  await expect(service.client.waitForJob('job_1')).resolves.toEqual({ status: 'completed', prLink: 'x' });
});

test('every event comes once and in order, over a cut connection', async () => {
  const frames = (...numbers: number[]) =>
    numbers.map((seq) => `id: ${seq}\ndata: ${JSON.stringify({ seq })}\n\n`).join('');
  await using service = await openService(
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(frames(1, 2), () => response.destroy());
    },
    (_request, response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(frames(3)),
  );
  const seen: number[] = [];
  for await (const { seq } of service.client.followJob('job_1')) {
    seen.push(seq);
    if (seq === 3) break;
  }
  expect(seen).toEqual([1, 2, 3]);
  expect(service.requests.map(({ lastEventId }) => lastEventId)).toEqual(['0', '2']);
});

test('an abort ends the wait with its reason', async () => {
  await using service = await openService(json(200, { status: 'active' }));
  const controller = new AbortController();
  const waiting = service.client.waitForJob('job_1', controller.signal);
  controller.abort(new Error('no longer needed'));
  await expect(waiting).rejects.toThrow('no longer needed');
  await using busy = await openService(json(503, {}));
  await expect(busy.client.getJob('job_1', AbortSignal.timeout(50))).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('a missing setting is named with its variable', () => {
  expect(() => createClient({ url: 'http://127.0.0.1', project: 'prj_1', key: '' })).toThrow('set PAGEWRIGHT_KEY');
});

test('a webhook is read only if its signature is right', () => {
  const secret = `whsec_${Buffer.from('a secret of the webhook').toString('base64')}`;
  const body = JSON.stringify({ type: 'webhook.test', timestamp: '', data: { webhook: { id: 'wh_1', url: '' } } });
  const signedAt = new Date();
  const headers = {
    'webhook-id': 'whd_1',
    'webhook-timestamp': String(Math.floor(signedAt.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('whd_1', signedAt, body),
  };
  expect(verifyWebhook(secret, body, headers)).toMatchObject({ type: 'webhook.test' });
  expect(() => verifyWebhook(secret, body.replace('wh_1', 'wh_2'), headers)).toThrow(WebhookVerificationError);
});

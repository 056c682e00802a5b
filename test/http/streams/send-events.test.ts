import { once } from 'node:events';
import { createServer, get, IncomingMessage, ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { createGunzip } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import type { HttpProblem } from '../../../src/http/problem.ts';
import { createOpenStreams } from '../../../src/http/streams/open-streams.ts';
import { createSendEvents } from '../../../src/http/streams/send-events.ts';
import type { EventFeed } from '../../../src/job-feed/event-feed.ts';
import type { StoredEvent } from '../../../src/store/tables/jobs/events.ts';
import { realTiming } from '../../../src/timing.ts';

/** Without any event: the one empty batch comes at the end. */
const feed: EventFeed = {
  async *follow({ signal }) {
    if (!signal.aborted) await once(signal, 'abort');
    yield [];
  },
  async [Symbol.asyncDispose]() {},
};
const openStream = createOpenStreams({ timing: realTiming.events });
const stream = { jobId: 'job_1', after: 0, reader: 'key_1', isAllowed: async () => true };

test('a stream whose client has left before it begins ends at once', async () => {
  const sendEvents = createSendEvents({ feed, openStream, format: () => ({}) });
  const ended = Promise.withResolvers<void>();
  const server = createServer((_request, response) => {
    response.once('close', () => sendEvents(response, stream).then(ended.resolve, ended.reject));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  const client = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(server, 'request');
  client.destroy();
  await expect(ended.promise).resolves.toBeUndefined();
});

test('HEAD gets the headers of a stream, and ends', async () => {
  const sendEvents = createSendEvents({ feed, openStream, format: () => ({}) });
  const server = createServer((_request, response) => void sendEvents(response, stream)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  const client = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1').setEncoding('utf8');
  let received = '';
  client.on('data', (text) => {
    received += text;
  });
  client.write('HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  await once(client, 'close');
  expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\nContent-Type: text\/event-stream/);
});

test('a compressed stream sends each frame at once, and of one like the last hardly a byte', async () => {
  const frame = `data: ${Array.from({ length: 2_000 }, (_, place) => (place * 7919).toString(36)).join(' ')}\n\n`;
  const isRead = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  async function* frames() {
    for (const { promise } of isRead) {
      yield frame;
      await promise;
    }
  }
  const server = createServer((_request, response) => {
    void openStream(response, { reader: 'person 1', isAllowed: async () => true, isCompressed: true, frames });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  const [answer] = await once(get({ port: typeof address === 'object' ? address?.port : 0 }), 'response');
  const sizes: number[] = [];
  let sent = 0;
  answer.on('data', (bytes: Buffer) => {
    sent += bytes.length;
  });
  let text = '';
  for await (const part of answer.pipe(createGunzip())) {
    text += part;
    if (text.split(frame).length <= sizes.length + 1) continue;
    sizes.push(sent);
    isRead[sizes.length - 1]?.resolve();
  }
  const [first = 0, both = 0] = sizes;
  expect([answer.headers['content-encoding'], sizes.length]).toEqual(['gzip', 2]);
  expect(both - first).toBeLessThan(first / 10);
});

/** A response that nobody reads, which holds what was written. */
function openResponse() {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const written: string[] = [];
  response.write = (text: string) => written.push(text) > 0;
  return { response, written };
}

test('a process has at most a thousand streams, of any number of keys', async () => {
  const own = createOpenStreams({ timing: realTiming.events });
  const sendEvents = createSendEvents({ feed, openStream: own, format: () => ({}) });
  const send = (reader: string, { response } = openResponse()) =>
    sendEvents(response, { ...stream, reader }).then(
      () => response,
      (error: HttpProblem) => error,
    );
  const first = openResponse();
  const held = [send('key_0', first)];
  for (let count = 1; count < 1_000; count += 1) held.push(send(`key_${count % 10}`));
  expect(await send('key_11')).toMatchObject({ kind: 'unavailable', headers: { 'Retry-After': '5' } });
  expect(await send('key_1')).toMatchObject({ kind: 'too-many-streams', headers: { 'Retry-After': '5' } });
  first.response.emit('close');
  await held[0];
  const next = openResponse();
  void send('key_11', next);
  expect(next.response.statusCode).toBe(200);
});

describe('after an outage of the database', () => {
  const event: StoredEvent = { job_id: 'job_1', seq: 1, type: 'job.unarchived', data: {}, at: new Date() };
  const heartbeatEveryMs = 20;

  /** Nobody can say whether the reader may read, until `answer`. */
  async function play(answer: () => Promise<boolean>) {
    const isBack = Promise.withResolvers<void>();
    let checks = 0;
    let running = 0;
    let atOnce = 0;
    const isAllowed = async () => {
      checks += 1;
      running += 1;
      atOnce = Math.max(atOnce, running);
      await isBack.promise;
      running -= 1;
      return answer();
    };
    const later: EventFeed = {
      async *follow() {
        await eventually(() => countHeartbeats() > 1 || undefined);
        isBack.resolve();
        yield [event];
      },
      async [Symbol.asyncDispose]() {},
    };
    const timing = { ...realTiming.events, heartbeatEveryMs };
    const { response, written } = openResponse();
    const countHeartbeats = () => written.filter((text) => text.startsWith(':')).length;
    const sendEvents = createSendEvents({
      feed: later,
      openStream: createOpenStreams({ timing }),
      format: () => ({}),
    });
    await sendEvents(response, { ...stream, isAllowed });
    expect([checks > 0, atOnce]).toEqual([true, 1]);
    return written.some((text) => text.startsWith('id: 1'));
  }

  test('a stream goes on', async () => {
    expect(await play(async () => true)).toBe(true);
  });

  test('promise 26: a stream sends nothing to a reader who lost access meanwhile', async () => {
    expect(await play(async () => false)).toBe(false);
  });

  test('promise 26: a stream ends if access cannot be checked', async () => {
    expect(await play(() => Promise.reject(new Error('still down')))).toBe(false);
  });
});

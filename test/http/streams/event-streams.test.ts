import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { EventFeed } from '../../../src/events/event-feed.ts';
import { createEventStreams } from '../../../src/http/streams/event-streams.ts';
import { realTiming } from '../../../src/timing.ts';

/** Without any event: the one empty batch comes at the end. */
const feed: EventFeed = {
  async *follow({ signal }) {
    if (!signal.aborted) await once(signal, 'abort');
    yield [];
  },
  async [Symbol.asyncDispose]() {},
};
const stream = { jobId: 'job_1', after: 0, reader: 'key_1', isAllowed: async () => true };

test('a stream whose client has left before it begins ends at once', async () => {
  const sendEvents = createEventStreams({ feed, timing: realTiming.events, format: () => ({}) });
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
  const sendEvents = createEventStreams({ feed, timing: realTiming.events, format: () => ({}) });
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

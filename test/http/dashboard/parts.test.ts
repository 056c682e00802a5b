import { once } from 'node:events';
import { createServer, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import express from 'express';
import { describe, expect, onTestFinished, test } from 'vitest';
import { formatRelative } from '../../../src/http/dashboard/frame/elements.ts';
import { readPatch } from '../../../src/http/dashboard/jobs/changes/patch-lines.ts';
import { describeNow, describeSteps, formatArguments } from '../../../src/http/dashboard/jobs/story/steps-and-turns.ts';
import { createCookie } from '../../../src/http/dashboard/people/cookies.ts';
import { findClient } from '../../../src/http/dashboard/people/limit-attempts.ts';
import { formatCsv } from '../../../src/http/dashboard/usage/usage-routes.ts';
import type { ShownCall } from '../../../src/jobs/list-shown-turns.ts';

test.each([
  ['https://docs.example.com', /^__Host-session=secret; Max-Age=60; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/],
  ['http://127.0.0.1:3000', /^session=secret; Max-Age=60; Path=\/; .*HttpOnly; SameSite=Lax$/],
])('the cookie of %s is bound to its host as far as it can be', async (origin, form) => {
  const cookie = createCookie({ name: 'session', origin: () => origin });
  const app = express().get('/', (_request, response) => {
    cookie.write(response, 'secret', { maxAgeMs: 60_000 });
    response.end();
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const { headers } = await fetch(`http://127.0.0.1:${port}`);
  expect(headers.get('set-cookie')).toMatch(form);
});

describe('the address of an attempt to sign in', () => {
  const from = (address: string, forwarded?: string) => {
    const socket = new Socket();
    Object.defineProperty(socket, 'remoteAddress', { value: address });
    const request = new IncomingMessage(socket);
    if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded;
    return request;
  };

  test.each([
    ['a proxy names the address', from('10.0.0.2', '198.51.100.1, 203.0.113.9')],
    ['a stranger cannot name one', from('203.0.113.9', '198.51.100.1')],
    ['IPv4 in IPv6 is the same', from('::ffff:203.0.113.9')],
  ])('%s', (_what, request) => {
    expect(findClient(request)).toBe('203.0.113.9');
  });
});

test('the lines of a patch are numbered as in both files', () => {
  const patch = ['@@ -3,3 +3,4 @@ head', ' same', '-old', '+new', '+more', ' end', '\\ No newline at end of file'];
  expect(readPatch(patch.join('\n')).map(({ kind, before, after, text }) => [kind, before, after, text])).toEqual([
    ['hunk', 3, 3, 'Lines 3 to 6'],
    ['same', 3, 3, 'same'],
    ['delete', 4, null, 'old'],
    ['add', null, 4, 'new'],
    ['add', null, 5, 'more'],
    ['same', 5, 6, 'end'],
  ]);
});

test('a cell of a CSV is text, never a formula', () => {
  const sums = { runs: 1, turns: 2, tokensIn: 3, tokensCached: 4, tokensOut: 5, cost: null };
  const names = ['=HYPERLINK("https://evil.example")', 'a, "b"', '-1', 'plain'];
  const lines = formatCsv(
    'key',
    names.map((name) => ({ name, ...sums })),
  ).split('\r\n');
  expect(lines.slice(1, 5).map((line) => line.replace(/,1,2,3,4,5,$/, ''))).toEqual([
    `"'=HYPERLINK(""https://evil.example"")"`,
    '"a, ""b"""',
    `'-1`,
    'plain',
  ]);
});

const step = (name: string, more: Partial<ShownCall> = {}): ShownCall => ({
  ...{ name, arguments: '{"path":"limits.md"}', result: '', isError: false },
  ...more,
});
test.each<[words: string, calls: ShownCall[]]>([
  ['Read', [step('read_file')]],
  ['Read 2 pages', [step('read_file'), step('outline', { arguments: '{"path":"errors.md"}' })]],
  ['Editing', [step('edit_file', { result: null })]],
  ['Checked 214 links', [step('check', { result: 'checked links: 214, changed pages: 2' })]],
  ['Checking links and pages', [step('check', { result: null })]],
  ['Had the change checked, and was asked to go on', [step('finish', { isError: true })]],
])('a step is told in words: %s', (words, calls) => {
  expect(describeSteps(calls).map(({ text }) => text)).toEqual([words]);
});

test.each<[words: string, turns: ShownCall[][]]>([
  ['starting', []],
  ['thinking', [[]]],
  ['editing limits.md', [[step('read_file'), step('edit_file', { result: null })]]],
  ['editing limits.md', [[step('edit_file', { result: null }), step('check', { result: null })]]],
  ['edited limits.md, now thinking', [[step('read_file')], [step('edit_file')], []]],
  ['had the change checked, and was asked to go on, now thinking', [[step('finish', { isError: true })]]],
])('what an agent does now is told in words: %s', (words, turns) => {
  const turn = { text: null, tokensIn: 0, tokensCached: 0, tokensOut: 0, durationMs: null };
  expect(describeNow(turns.map((calls, index) => ({ ...turn, index, calls })))).toBe(words);
});

test.each([
  ['names and values', '{"path":"a.md","start_line":3,"also":["b"]}', 'path: a.md\nstart_line: 3\nalso: ["b"]'],
  ['a text in its own lines', '{"path":"a.md","content":"# A\\n\\nB"}', 'path: a.md\ncontent:\n# A\n\nB'],
  ['what was cut, as it is', '{"path":"a.md","content":"# A… (900 more', '{"path":"a.md","content":"# A… (900 more'],
  ['what is no object, as it is', '[1]', '[1]'],
  ['nothing, as it is', '{}', '{}'],
])('the arguments of a call are shown as %s', (_what, given, shown) => {
  expect(formatArguments(given)).toBe(shown);
});

test.each([
  [-5_000, 'just now'],
  [-3 * 60_000, '3 minutes ago'],
  [-26 * 3_600_000, 'yesterday'],
  [5_000, 'in a moment'],
  [40 * 24 * 3_600_000, 'next month'],
])('%i ms from now is %s', (distance, text) => {
  const now = new Date('2026-11-23T12:00:00Z');
  expect(formatRelative(new Date(now.getTime() + distance), now)).toBe(text);
});

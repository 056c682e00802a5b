import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ZodError } from 'zod';
import { events } from '../../../src/deliveries/events.ts';
import type { GitHubEvent, Kept } from '../../../src/deliveries/github-event.ts';
import { push as pushEvent } from '../../../src/deliveries/handlers/push.ts';
import { readPayload, readPayloadTask } from '../../../src/http/webhooks/read-payload.ts';
import { createThreads } from '../../../src/threads/threads.ts';

const bytesOf = (value: unknown) => new Uint8Array(Buffer.from(JSON.stringify(value)));

function read(value: unknown, { kept }: { kept: Kept } = pushEvent): unknown {
  const found = readPayload({ bytes: bytesOf(value), kept });
  return found.kind === 'json' ? found.value : found;
}

const keys = fc.constantFrom(
  ...['action', 'installation', 'repository', 'pull_request', 'issue', 'comment', 'review', 'ref', 'sender', 'forced'],
  ...[
    'commits',
    'changes',
    'id',
    'login',
    'account',
    'user',
    'body',
    'number',
    'head',
    'base',
    'repo',
    'owner',
    'name',
  ],
  ...['added', 'modified', 'removed', 'created_at', 'default_branch', 'other', '__proto__', 'slug', 'type', 'state'],
);
const { payload } = fc.letrec<{ payload: Record<string, unknown>; value: unknown }>((tie) => ({
  payload: fc.dictionary(keys, tie('value'), { maxKeys: 10 }),
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constantFrom<unknown>('x', '2026-11-20T12:00:00Z', 'open', 'User', '.github/pagewright.yml', 7, true, null),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('payload'),
  ),
}));

const repository = {
  id: 1,
  name: 'docs',
  owner: { login: 'acme' },
  default_branch: 'main',
  description: 'x'.repeat(99),
};
const push = (path: string) => ({
  ref: 'refs/heads/main',
  installation: { id: 3 },
  repository,
  commits: [{ added: [], modified: ['a.md', path], removed: ['b.md'], message: 'x' }],
});

const at = '2026-11-20T20:06:00Z';
const rita = { login: 'rita', id: 7, type: 'User', url: 'x' };
const branch = { ref: 'main', repo: { id: 1, name: 'docs' }, sha: 'abc' };
/** Everything that some event reads, with more beside it. */
const everything = {
  ...push('.github/pagewright.yml'),
  action: 'created',
  pull_request: { number: 7, state: 'open', updated_at: at, user: rita, head: branch, base: branch, body: 'x' },
  issue: { number: 7, pull_request: { url: 'x' }, user: rita, body: 'x' },
  comment: { id: 7, body: 'x', user: rita, created_at: at, html_url: 'x' },
  review: { id: 7, body: 'x', user: rita, submitted_at: at, state: 'approved', html_url: 'x' },
  release: { id: 7, draft: false, author: rita, published_at: at, body: 'x' },
  label: { name: 'x', color: 'x' },
  changes: { default_branch: { from: 'x' }, body: { from: 'x' } },
  sender: rita,
};

/** The listed paths aside: of those, only the settings are kept. */
function outcomeOf(event: GitHubEvent, sent: unknown) {
  try {
    const fields = event.parse(sent);
    return { fields: { ...fields, commits: undefined }, dropReason: event.findDropReason(fields) };
  } catch (error) {
    if (error instanceof ZodError) return 'refused';
    throw error;
  }
}

test('what is kept of a payload means what all of it meant', () => {
  let accepted = 0;
  fc.assert(
    fc.property(fc.constantFrom(...events), fc.boolean(), payload, (event, isWhole, other) => {
      const sent: unknown = JSON.parse(JSON.stringify(isWhole ? { ...everything, ...other } : other));
      const outcome = outcomeOf(event, sent);
      if (outcome !== 'refused') accepted += 1;
      expect(outcomeOf(event, read(sent, event))).toEqual(outcome);
    }),
    { numRuns: 2_000 },
  );
  expect(accepted).toBeGreaterThan(200);
});

test.each(events)('of $name, only what it reads is kept', (event) => {
  const kept = read(everything, event);
  // Of a commit, only the one that a pull request ends with.
  expect(JSON.stringify(kept).replaceAll(',"sha":"abc"', '')).not.toMatch(/url|sha|html|description|"color|a\.md/);
});

test('a push keeps of its files only those that may be the settings', () => {
  const kept = read(push('.github/pagewright.yml'));
  expect(kept).toMatchObject({ commits: [{ added: [], modified: ['.github/pagewright.yml'], removed: [] }] });
  expect(JSON.stringify(kept)).not.toMatch(/a\.md|b\.md|message|description/);
  expect(pushEvent.findDropReason(pushEvent.parse(kept))).toBeUndefined();
});

test('promise 7: a large payload is parsed in a thread, which the event loop does not wait for', async () => {
  await using threads = new AsyncDisposableStack();
  const { run, close } = createThreads();
  threads.defer(close);
  const files = Array.from({ length: 200_000 }, (_, index) => `docs/a/page/of/many/${index}.md`);
  const bytes = bytesOf({ ...push('.github/pagewright.yml'), files });
  expect(readPayloadTask.isSmall?.({ bytes, kept: pushEvent.kept })).toBe(false);
  let ticks = 0;
  const ticking = setInterval(() => {
    ticks += 1;
  }, 1);
  const found = await run(readPayloadTask, { bytes, kept: pushEvent.kept }, { signal: new AbortController().signal });
  clearInterval(ticking);
  expect(found).toEqual({ kind: 'json', value: read(push('.github/pagewright.yml')) });
  expect(ticks).toBeGreaterThan(3);
  // It moved to the thread, so that nothing was copied.
  expect(bytes.length).toBe(0);
});

test.each([
  ['not-json', Buffer.from('{')],
  ['not-utf8', Buffer.from('{"a":"b"}', 'utf16le')],
  ['not-utf8', Buffer.from([0x22, 0xff, 0x22])],
])('promise 24: a body that is %s is told from one that is', (kind, bytes) => {
  expect(readPayload({ bytes: new Uint8Array(bytes), kept: true })).toEqual({ kind });
});

test('a thread that parses payloads loads the reader of JSON, and no handler', () => {
  const source = readFileSync('src/http/webhooks/read-payload.ts', 'utf8');
  const loaded = [...source.matchAll(/^import (?!type\b).* from '(.*)';$/gm)].map(([, module]) => module);
  expect(loaded).toEqual(['../bodies/read-json.ts']);
});

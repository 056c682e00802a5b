import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findDropReason } from '../../../src/deliveries/find-drop-reason.ts';
import { readPayload, readPayloadTask } from '../../../src/http/webhooks/read-payload.ts';
import { deliveryFieldsSchema } from '../../../src/store/tables/repositories/delivery-fields.ts';
import { createThreads } from '../../../src/threads/threads.ts';

const bytesOf = (value: unknown) => new Uint8Array(Buffer.from(JSON.stringify(value)));

function read(value: unknown): unknown {
  const found = readPayload(bytesOf(value));
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

test('what is kept of a payload means what all of it meant', () => {
  fc.assert(
    fc.property(fc.constantFrom('push', 'repository', 'issue_comment'), payload, (name, whole) => {
      const sent: unknown = JSON.parse(JSON.stringify(whole));
      const kept = read(sent);
      const [before, after] = [deliveryFieldsSchema.safeParse(sent), deliveryFieldsSchema.safeParse(kept)];
      expect(after).toEqual(before);
      if (before.success && typeof sent === 'object' && sent && typeof kept === 'object' && kept)
        expect(findDropReason(name, before.data, kept)).toBe(findDropReason(name, before.data, sent));
    }),
    { numRuns: 2_000 },
  );
});

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

test('a push keeps of its files only those that may be the settings', () => {
  const kept = read(push('.github/pagewright.yml'));
  expect(kept).toMatchObject({ commits: [{ added: [], modified: ['.github/pagewright.yml'], removed: [] }] });
  expect(JSON.stringify(kept)).not.toMatch(/a\.md|b\.md|message|description/);
  const fields = deliveryFieldsSchema.parse(kept);
  expect(findDropReason('push', fields, push('.github/pagewright.yml'))).toBeUndefined();
});

test('promise 7: a large payload is parsed in a thread, which the event loop does not wait for', async () => {
  await using threads = new AsyncDisposableStack();
  const { run, close } = createThreads();
  threads.defer(close);
  const files = Array.from({ length: 200_000 }, (_, index) => `docs/a/page/of/many/${index}.md`);
  const bytes = bytesOf({ ...push('.github/pagewright.yml'), files });
  expect(readPayloadTask.isSmall?.(bytes)).toBe(false);
  let ticks = 0;
  const ticking = setInterval(() => {
    ticks += 1;
  }, 1);
  const found = await run(readPayloadTask, bytes, { signal: new AbortController().signal });
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
  expect(readPayload(bytes)).toEqual({ kind });
});

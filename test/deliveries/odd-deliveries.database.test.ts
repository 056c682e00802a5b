import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDeliveryContext, type DeliveryParts } from '../../src/deliveries/delivery-context.ts';
import { findEvent } from '../../src/deliveries/events.ts';
import { GitHubUnavailable } from '../../src/github/refusals/errors.ts';
import { inTransaction } from '../../src/store/store.ts';
import { createWorld, type World } from '../support/worlds/world.ts';
import { createParts } from './create-parts.ts';

let world: World;
let parts: DeliveryParts;
let count = 0;
beforeAll(async () => {
  world = await createWorld({ script: () => ({}) });
  parts = createParts(world);
  for (const login of ['rita', 'sam']) world.github.addUser(login);
  world.github.setPermission('acme/docs', 'rita', 'write');
  world.github.asPerson('rita').openIssue('acme/docs', { title: 'Limits', body: 'Text.' });
});
afterAll(() => world[Symbol.asyncDispose]());

const at = '2026-11-28T20:06:00Z';
const accountOf = (login: string) => {
  const { id, type } = world.github.addUser(login);
  return { login, id, type };
};

interface Given {
  event: string;
  action?: string;
  body?: string | null;
  /** Who wrote it; null: a deleted account. */
  by?: object | null;
  sender?: object;
  number?: number;
  commentId?: number;
  isPull?: boolean;
  repositoryId?: number;
  viaApp?: boolean;
  more?: object;
}

/** As the service does with a webhook: dropped, not wanted, ignored, or done. */
async function receive(given: Given): Promise<string> {
  const { event: name, action = 'created', body = '', number = 1, isPull = false, viaApp = false, more = {} } = given;
  count += 1;
  const by = given.by === undefined ? accountOf('rita') : given.by;
  const via = viaApp ? { performed_via_github_app: { id: 3 } } : {};
  const { id = 7 } = { id: given.commentId ?? 1_000 + count };
  const written = { id, body, user: by, created_at: at, submitted_at: at, ...via };
  const head = { ref: 'topic', repo: { id: world.repository.id } };
  const payload = {
    action,
    installation: { id: world.installationId },
    repository: {
      id: given.repositoryId ?? world.repository.id,
      name: 'docs',
      owner: { login: 'acme' },
      default_branch: 'main',
    },
    sender: given.sender ?? by ?? accountOf('rita'),
    issue: { number, body, user: by, created_at: at, ...(isPull && { pull_request: {} }), ...via },
    pull_request: { number, body, user: by, state: 'open', updated_at: at, head, base: { ref: 'main' } },
    comment: { ...written, pull_request_review_id: 5 },
    review: written,
    ...more,
  };
  const event = findEvent(name);
  if (!event) return 'no handler for this event';
  const fields = event.parse(payload);
  const dropped = event.findDropReason(fields);
  if (dropped !== undefined) return `dropped: ${dropped}`;
  if (!(await event.isWanted(parts.database, fields))) return 'not wanted';
  const receivedAt = new Date(Date.now() - 60_000);
  const { signal } = new AbortController();
  const context = createDeliveryContext(parts, { deliveryId: `odd-${count}`, fields, receivedAt, signal });
  const outcome = await event.handle(context);
  if (outcome instanceof Date) return 'later';
  if (typeof outcome === 'string') return `ignored: ${outcome}`;
  const applied = await inTransaction(parts, (store) => outcome(store));
  return applied === undefined ? 'done' : `ignored: ${applied}`;
}

const comment = 'issue_comment';
const mention = '@pagewright-test say 100';
const noMention = 'ignored: no mention, or the repository’s settings ignore this comment';
const noHandler = 'dropped: no handler for this event';
const noPerson = 'dropped: not written by a person';
const bot = { login: 'helper[bot]', id: 900, type: 'Bot' };

test.each<[string, Given | (() => Given), string]>([
  ['a mention', { event: comment, body: mention, commentId: 501 }, 'done'],
  [
    'the same comment again',
    { event: comment, body: mention, commentId: 501 },
    'ignored: the mention is already a message',
  ],
  ['a comment that is edited', { event: comment, action: 'edited', body: mention }, noHandler],
  ['a comment that is deleted', { event: comment, action: 'deleted', body: mention }, noHandler],
  ['a comment of an action that is no action', { event: comment, action: 'constructor', body: mention }, noHandler],
  ['a comment without a text', { event: comment, body: null }, 'dropped: no mention'],
  ['two mentions in one comment', { event: comment, body: `${mention}\n\n@pagewright-test and 200` }, 'done'],
  ['a mention in capital letters', { event: comment, body: '@Pagewright-Test say 100' }, 'done'],
  ['a mention and a quotation of another', { event: comment, body: `> ${mention}\n\nHm.` }, noMention],
  [
    'a mention in a quotation in a list',
    { event: comment, body: `- > ${mention}` },
    'ignored: no instruction for this App',
  ],
  ['a mention in a code span', { event: comment, body: `Write \`${mention}\` there.` }, noMention],
  ['a mention in a block of code', { event: comment, body: `\`\`\`\n${mention}\n\`\`\`` }, noMention],
  ['a mention in indented code', { event: comment, body: `Like this:\n\n    ${mention}\n` }, noMention],
  ['a mention in an HTML comment', { event: comment, body: `Hm.<!-- ${mention} -->` }, noMention],
  ['a mention in an address', { event: comment, body: 'See https://example.com/@pagewright-test/x' }, noMention],
  ['a mention in an e-mail address', { event: comment, body: 'me@pagewright-test say 100' }, noMention],
  ['a longer name', { event: comment, body: '@pagewright-test-docs say 100' }, noMention],
  ['a team', { event: comment, body: '@acme/pagewright-test say 100' }, noMention],
  ['a paragraph of a list that mentions the App', { event: comment, body: `- One.\n\n    ${mention}` }, 'done'],
  ['the name that the App had before', { event: comment, body: '@pagewright-old say 100' }, noMention],
  ['60,000 at signs', { event: comment, body: '@'.repeat(60_000) }, noMention],
  ['a bot', { event: comment, body: mention, by: bot }, noPerson],
  ['a person’s comment that a bot sends', { event: comment, body: mention, sender: bot }, noPerson],
  [
    'an organization',
    { event: comment, body: mention, by: { login: 'acme', id: 901, type: 'Organization' } },
    noPerson,
  ],
  ['an App for a person', { event: comment, body: mention, viaApp: true }, 'dropped: posted through an App'],
  ['a deleted account', { event: comment, body: mention, by: null }, noPerson],
  [
    'somebody without access',
    () => ({ event: comment, body: mention, by: accountOf('sam') }),
    'ignored: written by somebody without write access',
  ],
  ['an issue that was transferred', { event: comment, body: mention, number: 77 }, 'ignored: it is gone'],
  ['a repository that is no project', { event: comment, body: mention, repositoryId: 4_242 }, 'not wanted'],
  ['a locked conversation', { event: comment, body: mention, more: { issue: { number: 1, locked: true } } }, 'done'],
  [
    'an issue that is opened elsewhere by a transfer',
    { event: 'issues', action: 'transferred', body: mention },
    noHandler,
  ],
  ['an issue that is edited', { event: 'issues', action: 'edited', body: mention }, noHandler],
  [
    'an issue that somebody else opens for its author',
    () => ({ event: 'issues', action: 'opened', body: mention, sender: accountOf('sam') }),
    noPerson,
  ],
  [
    'a label on an issue that mentions the App',
    { event: 'issues', action: 'labeled', body: mention, more: { label: { name: 'docs' } } },
    'not wanted',
  ],
  ['a review that is edited', { event: 'pull_request_review', action: 'edited', body: mention }, noHandler],
  ['a review of a bot', { event: 'pull_request_review', action: 'submitted', body: mention, by: bot }, noPerson],
  ['a remark that is deleted', { event: 'pull_request_review_comment', action: 'deleted', body: mention }, noHandler],
  [
    'a review of a pull request that is gone',
    { event: 'pull_request_review', action: 'submitted', body: mention, number: 78 },
    'ignored: the review is gone',
  ],
  [
    'a pull request that a bot opens',
    { event: 'pull_request', action: 'opened', body: mention, by: bot },
    'ignored: not a pull request of a job',
  ],
  [
    'a thread that is resolved',
    { event: 'pull_request_review_thread', action: 'resolved' },
    'no handler for this event',
  ],
])('odd deliveries: %s', async (_, given, expected) => {
  expect(await receive(typeof given === 'function' ? given() : given)).toBe(expected);
});

test('all mentions on an issue while its job is open are one job, each once', async () => {
  const jobs = await parts.database.selectFrom('jobs').select('job_id').where('asked_on', '=', 1).execute();
  expect(jobs).toHaveLength(1);
  const messages = await parts.database.selectFrom('messages').select('prompt').orderBy('seq').execute();
  expect(messages.map(({ prompt }) => prompt)).toEqual([
    'say 100',
    'say 100\n\n@pagewright-test and 200',
    'say 100',
    `- One.\n\n    ${mention}`,
    'say 100',
  ]);
});

test('a mention waits until GitHub tells of the pull requests that it names', async () => {
  const { changes } = parts;
  const down = new GitHubUnavailable('could not read acme/api#12');
  parts.changes = { ...changes, readNamed: () => Promise.reject(down) };
  await expect(receive({ event: comment, body: `${mention} as in acme/api#12` })).rejects.toBe(down);
  parts.changes = changes;
});

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { appManifest } from '../../src/config/app-manifest.ts';
import { events, findEvent } from '../../src/deliveries/events.ts';

const rita = { login: 'rita', id: 1, type: 'User' };
const bot = { login: 'dependabot[bot]', id: 2, type: 'Bot' };
const repository = { id: 1, name: 'docs', owner: { login: 'acme' }, default_branch: 'main' };
const at = '2026-11-20T20:06:00Z';
const issue = { number: 1, pull_request: {}, user: rita };
const written = { id: 7, body: 'Happier, please.', user: rita, created_at: at };
const review = { id: 9, body: 'Nearly.', user: rita, submitted_at: at };

const comment = (more: object = {}) => ({
  action: 'created',
  repository,
  issue,
  comment: written,
  sender: rita,
  ...more,
});

const from = (head: object | null) => ({
  number: 1,
  state: 'open',
  updated_at: at,
  head: { ref: 'pagewright/x', repo: head },
  base: { ref: 'main', repo: repository },
});

const submitted = (more: object = {}) => ({
  action: 'submitted',
  repository,
  pull_request: from(repository),
  review,
  sender: rita,
  ...more,
});
const remark = (more: object = {}) => comment({ issue: undefined, pull_request: from(repository), ...more });

const settings = '.github/pagewright.yml';
const commit = (more: object = {}) => ({ added: [], modified: ['index.md'], removed: [], ...more });
const push = (more: object = {}) => ({ repository, ref: 'refs/heads/main', commits: [commit()], sender: bot, ...more });

const installation = { id: 3 };
const edited = (changes?: object) => ({
  action: 'edited',
  repository,
  installation,
  sender: rita,
  ...(changes && { changes }),
});

const byBot = 'not written by a person';
const byApp = 'posted through an App';
const byFork = 'from another repository';
const unchanged = 'the settings file did not change';
const sameBranch = 'the default branch did not change';
const elsewhere = 'not of an installation';

test.each<[string, string, object, string | undefined]>([
  ['a person’s comment', 'issue_comment', comment(), undefined],
  ['a comment on an issue', 'issue_comment', comment({ issue: { number: 1, user: rita } }), 'no mention'],
  [
    'a comment on an issue with a mention',
    'issue_comment',
    comment({ issue: { number: 1, user: rita }, comment: { ...written, body: '@pagewright do it' } }),
    undefined,
  ],
  ['a comment that is edited', 'issue_comment', comment({ action: 'edited' }), 'no handler for this event'],
  ['a comment that is deleted', 'issue_comment', comment({ action: 'deleted' }), 'no handler for this event'],
  ['a review that is dismissed', 'pull_request_review', submitted({ action: 'dismissed', sender: bot }), undefined],
  ['promise 6: a bot’s comment', 'issue_comment', comment({ comment: { ...written, user: bot }, sender: bot }), byBot],
  [
    'promise 6: a bot’s comment that a person sent',
    'issue_comment',
    comment({ comment: { ...written, user: bot } }),
    byBot,
  ],
  ['promise 6: a person’s comment that a bot sent', 'issue_comment', comment({ sender: bot }), byBot],
  [
    'promise 6: a comment of a deleted account',
    'issue_comment',
    comment({ comment: { ...written, user: null } }),
    byBot,
  ],
  ['promise 6: a comment without a sender', 'issue_comment', comment({ sender: undefined }), byBot],
  [
    'promise 6: an organisation’s comment',
    'issue_comment',
    comment({ comment: { ...written, user: { ...rita, type: 'Organization' } } }),
    byBot,
  ],
  [
    'promise 6: a person’s comment by way of an App',
    'issue_comment',
    comment({ comment: { ...written, performed_via_github_app: { id: 3 } } }),
    byApp,
  ],
  ['a person’s review', 'pull_request_review', submitted(), undefined],
  ['promise 6: a bot’s review', 'pull_request_review', submitted({ review: { ...review, user: bot } }), byBot],
  [
    'promise 6: a review of a deleted account',
    'pull_request_review',
    submitted({ review: { ...review, user: null } }),
    byBot,
  ],
  ['a person’s remark', 'pull_request_review_comment', remark(), undefined],
  [
    'promise 6: a bot’s remark',
    'pull_request_review_comment',
    remark({ comment: { ...written, user: bot }, sender: bot }),
    byBot,
  ],
  [
    'a pull request that a bot closed',
    'pull_request',
    { action: 'closed', repository, pull_request: from(repository), sender: bot },
    undefined,
  ],
  [
    'a review of what is merged from a branch of the repository',
    'pull_request_review',
    submitted({ pull_request: from(repository) }),
    undefined,
  ],
  ['a review of what comes from a fork', 'pull_request_review', submitted({ pull_request: from({ id: 99 }) }), byFork],
  ['a review of what a fork left', 'pull_request_review', submitted({ pull_request: from(null) }), byFork],
  ['a fork’s pull request', 'pull_request', { action: 'closed', repository, pull_request: from({ id: 99 }) }, byFork],
  ['an installation', 'installation', { action: 'created', installation, sender: bot }, undefined],
  ['an installation that the payload lacks', 'installation', { action: 'created', sender: bot }, elsewhere],
  ['a selection without its installation', 'installation_repositories', { action: 'added', sender: bot }, elsewhere],
  ...['renamed', 'transferred', 'edited', 'deleted'].map((action): [string, string, object, string] => [
    `promise 8: a repository that is ${action}, told by a webhook that is not the App’s`,
    'repository',
    { ...edited({ default_branch: { from: 'main' } }), action, installation: undefined },
    elsewhere,
  ]),
  ['another default branch', 'repository', edited({ default_branch: { from: 'main' } }), undefined],
  ['another description', 'repository', edited({ description: { from: 'Docs' } }), sameBranch],
  [
    'another homepage and other topics',
    'repository',
    edited({ homepage: { from: null }, topics: { from: [] } }),
    sameBranch,
  ],
  ['an edit that does not say what it changed', 'repository', edited(), undefined],
  [
    'another name',
    'repository',
    { ...edited({ repository: { name: { from: 'guides' } } }), action: 'renamed' },
    undefined,
  ],
  ['a push to another branch', 'push', push({ ref: 'refs/heads/next' }), 'not the default branch'],
  [
    'a push to a branch of a merge queue',
    'push',
    push({ ref: `refs/heads/gh-readonly-queue/main/pr-1-${'a'.repeat(40)}` }),
    undefined,
  ],
  [
    'the end of such a branch',
    'push',
    push({ ref: `refs/heads/gh-readonly-queue/main/pr-1-${'a'.repeat(40)}`, deleted: true }),
    'the branch is gone',
  ],
  ['a tag of that name', 'push', push({ ref: 'refs/tags/main' }), 'not the default branch'],
  ['a push of other files', 'push', push(), unchanged],
  ['a push without commits', 'push', push({ commits: [] }), unchanged],
  ['a push that adds the settings', 'push', push({ commits: [commit(), commit({ added: [settings] })] }), undefined],
  ['a push that changes the settings', 'push', push({ commits: [commit({ modified: [settings] })] }), undefined],
  ['a push that removes the settings', 'push', push({ commits: [commit({ removed: [settings] })] }), undefined],
  ['a file of a like name', 'push', push({ commits: [commit({ added: [`docs/${settings}`] })] }), unchanged],
  ['a forced push, which lists nothing that went away', 'push', push({ forced: true }), undefined],
  ['a push that does not say what it changed', 'push', push({ commits: [{ id: 'abc' }] }), undefined],
  ['a push with more commits than GitHub lists', 'push', push({ commits: Array(2048).fill(commit()) }), undefined],
])('%s', (_name, event, payload, reason) => {
  const found = findEvent(event);
  expect(found?.findDropReason(found.parse(payload))).toBe(reason);
});

test('app.yml subscribes to each event with a handler, and to no other', () => {
  const subscribed = events.map(({ name }) => name).filter((name) => !name.startsWith('installation'));
  expect(subscribed.toSorted()).toEqual(appManifest.default_events.toSorted());
  // Two handlers of one event would hide one another.
  expect(new Set(subscribed).size).toBe(subscribed.length);
});

test('each file of handlers/ is an event', () => {
  const listed = readFileSync('src/deliveries/events.ts', 'utf8');
  const files = readdirSync('src/deliveries/handlers');
  expect(files.filter((file) => !listed.includes(`'./handlers/${file}'`))).toEqual([]);
});

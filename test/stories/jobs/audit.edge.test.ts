import { expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../../../harness/eventually.ts';
import { edit, finish, hold, perRun } from '../../../harness/script-steps.ts';
import { startInWorld } from '../../../harness/start-service.ts';
import { steps } from '../../../local/model/script.ts';
import { isInstallationWrite } from '../../../src/github/limits/admission.ts';
import { findSecrets, startTokenCollector } from '../../support/values/canaries.ts';
import { createWorld, type World } from '../../support/worlds/world.ts';

const askerShape = z.object({
  messageId: z.string().nullable(),
  author: z.string(),
  source: z.string(),
  deliveryId: z.string().nullable(),
});
const effectShape = z.object({
  key: z.string(),
  kind: z.string(),
  state: z.string(),
  askedBy: z.array(askerShape),
  leaseEpoch: z.number(),
  tries: z.number(),
  externalId: z.string().nullable(),
  request: z.looseObject({ commentId: z.number().optional() }),
  response: z.looseObject({}).nullable(),
  intendedAt: z.coerce.date(),
  doneAt: z.coerce.date().nullable(),
});
type ToldEffect = z.infer<typeof effectShape>;
const toldShape = z.object({
  runs: z.array(z.object({ code: z.string().nullable(), effects: z.array(effectShape) })),
  effects: z.array(effectShape),
});

type Request = World['github']['requests'][number];

/** What a write on GitHub is called in the audit, by its route. */
const kinds: Record<string, string> = {
  'POST git-receive-pack': 'push',
  'POST /graphql': 'push',
  'POST /repos/:owner/:repo/git/refs': 'branch',
  'POST /repos/:owner/:repo/pulls': 'pull-request',
  'PATCH /repos/:owner/:repo/pulls/:number': 'pull-request',
  'POST /repos/:owner/:repo/issues/:number/labels': 'labels',
  'POST /repos/:owner/:repo/pulls/:number/requested_reviewers': 'reviewers',
  'POST /repos/:owner/:repo/issues/:number/comments': 'comment',
  'POST /repos/:owner/:repo/pulls/:number/comments/:id/replies': 'reply',
  'POST /repos/:owner/:repo/issues/comments/:id/reactions': 'reaction',
  'POST /repos/:owner/:repo/pulls/comments/:id/reactions': 'reaction',
  'DELETE /repos/:owner/:repo/issues/comments/:id': 'deletion',
};
const shapeOf = ({ method, path, route }: Request) =>
  path.endsWith('git-receive-pack')
    ? 'POST git-receive-pack'
    : path === '/graphql'
      ? 'POST /graphql'
      : (Object.keys(kinds).find((known) => known === route) ??
        `${method} ${path
          .replace(/^\/repos\/[^/]+\/[^/]+/, '/repos/:owner/:repo')
          .replace(/\/(pulls|issues)\/\d+/, '/$1/:number')
          .replace(/\/comments\/\d+/, '/comments/:id')}`);

/** Everything that was changed in the name of an installation, but for the tokens themselves. */
const listWrites = (world: World) =>
  world.github.requests.filter(
    ({ method, path, body, tokenInfo }) =>
      tokenInfo.kind === 'installation' &&
      isInstallationWrite({ method, url: path, query: Object(body).query }) &&
      !path.endsWith('git-upload-pack'),
  );

const commentIdOf = ({ path }: Request) => Number(/comments\/(\d+)/.exec(path)?.[1] ?? 0);
const slackMs = 5;

const [aBranch, aSha] = [expect.stringMatching(/^pagewright\//), expect.stringMatching(/^[0-9a-f]{40}$/)];
/** What an effect of each kind at least says of what was sent. */
const sent: Record<string, object> = {
  push: { branch: aBranch, sha: aSha },
  branch: { branch: aBranch, sha: aSha },
  'pull-request': { branch: aBranch, base: 'main', title: 'T' },
  labels: { labels: ['docs'] },
  reviewers: { users: ['ruth'] },
  comment: { body: expect.stringMatching(/./) },
  reply: { body: expect.stringMatching(/./) },
  reaction: { commentId: expect.any(Number) },
};

/** Whether a write is what an effect tells of: by its marker or its comment, and where it has neither by its kind and its time. */
function isOf(write: Request, effect: ToldEffect): boolean {
  if (kinds[shapeOf(write)] !== effect.kind) return false;
  if (['comment', 'reply'].includes(effect.kind))
    return JSON.stringify(write.body).includes(`<!-- pagewright:${effect.key} -->`);
  if (effect.request.commentId !== undefined) return commentIdOf(write) === effect.request.commentId;
  const until = effect.doneAt?.getTime() ?? Number.POSITIVE_INFINITY;
  return write.at.getTime() >= effect.intendedAt.getTime() - slackMs && write.at.getTime() <= until + slackMs;
}

test('promise 30: every write on GitHub has exactly one effect with author, time, request and response', async () => {
  const holding = hold(finish('Never said.'));
  const script = perRun([
    steps([edit('limits.md', '60 requests', '100 requests'), finish('It is 100.', { title: 'T', description: 'D' })]),
    steps([edit('limits.md', '100 requests', '200 requests'), finish('It is 200.')]),
    steps([edit('limits.md', '200 requests', '300 requests'), finish('It is 300.')]),
    steps([edit('index.md', 'Welcome.', 'Welcome!'), finish('Happier.')]),
    steps([{ fault: { kind: 'status', status: 400, code: 'bad' } }]),
    steps([holding.step]),
  ]);
  await using world = await createWorld({ script });
  await using collector = await startTokenCollector(world.github.apiUrl);
  const { github, repository } = world;
  const rita = github.asPerson('rita');
  const name = repository.fullName;
  github.setPermission(name, 'ruth', 'write');
  const settings = { '.github/pagewright.yml': 'labels: [docs]\nreviewers: [ruth]\n' };
  await rita.pushCommit(name, 'main', settings, 'Settings');
  // The first commit needs a branch that GitHub has to be asked for.
  github.setRules(name, 'pagewright/*', [{ type: 'required_signatures' }]);
  await using service = await startInWorld(world, { GITHUB_API_URL: collector.url });
  const { caller } = service;
  const read = async (jobId: string) => toldShape.parse(await caller.runs(jobId));
  const { id } = await caller.create('Make it 100.');
  const number = Number((await caller.settled(id)).prLink?.split('/').at(-1));
  const untilRuns = (count: number) =>
    eventually(async () => {
      const told = await read(id);
      const all = [...told.effects, ...told.runs.flatMap(({ effects }) => effects)];
      const isQuiet = told.runs.every(({ code }) => code !== null) && all.every(({ state }) => state !== 'intended');
      return (told.runs.length === count && isQuiet) || undefined;
    });
  github.setRules(name, 'pagewright/*', []);
  await caller.message(id, 'Rather 200.');
  await untilRuns(2);
  const twice = github.inject({ method: 'POST', path: /\/issues\/\d+\/comments$/, kind: 'after' });
  await rita.comment(name, number, 'Rather 300.');
  await untilRuns(3);
  expect(twice.hits()).toBe(1);
  const remarks = [{ path: 'limits.md', line: 1, body: 'Happier, please.' }];
  await rita.review(name, number, { body: 'Nearly.', state: 'COMMENTED', comments: remarks });
  await untilRuns(4);
  await rita.comment(name, number, 'This will fail.');
  await untilRuns(5);
  await rita.comment(name, number, 'This will be stopped.');
  await holding.asked;
  await rita.comment(name, number, '@pagewright-test stop');
  await untilRuns(6);
  await rita.mergePullRequest(name, number);
  await caller.until(id, ({ status }) => status === 'archived');
  await rita.comment(name, number, 'One more thing.');
  await eventually(async () => (await read(id)).effects.some(({ key }) => key.startsWith('job:archived')) || undefined);
  await untilRuns(6);
  holding.release();

  const told = await read(id);
  expect(told.runs.map(({ code }) => code)).toEqual([
    'published',
    'published',
    'published',
    'published',
    'model_invalid',
    'cancelled',
  ]);
  const effects = [...told.effects, ...told.runs.flatMap((run) => run.effects)];
  const writes = listWrites(world);
  const explained = writes.map((write) => ({
    write: shapeOf(write),
    effects: effects.filter((effect) => isOf(write, effect)).map(({ key }) => key),
  }));
  expect(explained.filter((found) => found.effects.length !== 1)).toEqual([]);
  const done = effects.filter(({ state }) => state === 'done');
  expect(done.filter((effect) => !writes.some((write) => isOf(write, effect))).map(({ key }) => key)).toEqual([]);
  expect(new Set(done.map(({ kind }) => kind))).toEqual(
    new Set(['push', 'branch', 'pull-request', 'labels', 'reviewers', 'comment', 'reply', 'reaction']),
  );

  for (const { kind, request, response, externalId } of done) {
    expect({ kind, request }).toMatchObject({ kind, request: sent[kind] });
    expect([kind, externalId]).toEqual([kind, expect.stringMatching(/./)]);
    expect(Object.keys(response ?? {})).not.toEqual([]);
  }

  const deliveries = new Set(github.deliveries.log.map(({ deliveryId }) => deliveryId));
  for (const { key, askedBy, tries } of effects) {
    expect([key, askedBy.length, tries]).toEqual([key, 1, expect.any(Number)]);
    expect(tries).toBeGreaterThan(0);
    const [asker] = askedBy;
    if (asker?.source === 'api') expect(asker).toMatchObject({ author: 'ci', deliveryId: null });
    else expect([asker?.author, deliveries.has(asker?.deliveryId ?? '')]).toEqual(['rita', true]);
  }
  const archived = effects.find(({ key }) => key.startsWith('job:archived'));
  expect(archived).toMatchObject({ kind: 'comment', state: 'done', askedBy: [{ messageId: null, source: 'comment' }] });

  const { PRIVATE_KEY = '', WEBHOOK_SECRET = '', OPENAI_API_KEY = '' } = world.environment;
  const tokens = Object.fromEntries(collector.tokens.map((token, index) => [`token ${index}`, token]));
  const secrets = { PRIVATE_KEY, WEBHOOK_SECRET, OPENAI_API_KEY, key: world.key, ...tokens };
  expect(collector.tokens.length).toBeGreaterThan(3);
  expect(findSecrets(secrets, JSON.stringify(await caller.runs(id)))).toEqual([]);
});

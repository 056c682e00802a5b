import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createCaller } from '../../harness/caller.ts';
import { eventually } from '../../harness/eventually.ts';
import { startInWorld } from '../../harness/start-service.ts';
import type { LoggedRequest } from '../../local/github/api/request-log.ts';
import { createKey } from '../../src/keys/project-keys.ts';
import { updateJob } from '../../src/store/tables/jobs/jobs.ts';
import { realTiming } from '../../src/timing.ts';
import { lookedAfter } from '../support/worlds/looked-after.ts';
import { createWorld, type World } from '../support/worlds/world.ts';
import { settled } from './crash-points.ts';
import { followInstruction } from './instructed-model.ts';

const mints = (installationId: number) => new RegExp(`^/app/installations/${installationId}/access_tokens$`);

/** What was asked in the name of an installation: of the API, of git, and for its tokens. */
const listOwn = ({ github }: World, installationId: number) =>
  github.requests.filter(
    ({ path, tokenInfo }) =>
      mints(installationId).test(path) ||
      (tokenInfo.kind === 'installation' && tokenInfo.installationId === installationId),
  );

const isWrite = ({ api, method, path }: LoggedRequest) => api !== 'git' && method !== 'GET' && !/token/.test(path);

/** A second installation, on another account, with a project in the same database. */
async function addOther(world: World, files?: Record<string, string>) {
  const { github, database } = world;
  const wanted = { owner: 'other', name: 'docs', files: { 'limits.md': '# Limits\n', ...files } };
  const { id: repositoryId } = await github.addRepository(wanted);
  const installationId = github.install({ account: 'other', repositories: 'all' });
  const place = { repositoryId, installationId, owner: 'other', repo: 'docs', defaultBranch: 'main' };
  const created = await createKey({
    database: database.database,
    owner: 'other',
    repo: 'docs',
    name: 'ci',
    expiresAt: null,
    findInstalledRepository: async () => ({
      installation: { installationId, account: 'other', suspendedAt: null },
      repository: place,
    }),
  });
  if (!created) throw new Error('could not create a key');
  return { installationId, ...created, callerAt: (url: string) => createCaller({ url, project: created }) };
}

/** Until when the installation is blocked, as soon as it is. */
const blocked = ({ database: { database } }: World, installationId: number) =>
  eventually(async () => {
    const row = database
      .selectFrom('installations')
      .select(['blocked_until', sql<number>`extract(epoch from blocked_until - now())::float8`.as('seconds')])
      .where('installation_id', '=', installationId)
      .where('blocked_until', '>', sql<Date>`now()`);
    const { blocked_until: until, seconds } = (await row.executeTakeFirst()) ?? {};
    return until && seconds !== undefined ? { until, seconds } : undefined;
  });

/** Resolves when nobody holds the job and it is due later. */
const parked = ({ database: { database } }: World, jobId: string) =>
  eventually(async () => {
    const row = database
      .selectFrom('jobs')
      .select('job_id')
      .where('job_id', '=', jobId)
      .where('lease_owner', 'is', null)
      .where('due_at', '>', sql<Date>`now()`);
    return row.executeTakeFirst();
  });

/** Stands for the passing of so many seconds. */
async function pass({ database: { database } }: World, jobId: string, seconds: number) {
  const passed = sql`${seconds} * interval '1 second'`;
  await sql`update installations set blocked_until = blocked_until - ${passed}`.execute(database);
  await sql`update watermarks set moment = moment - ${passed}`.execute(database);
  await updateJob(database, jobId, { due_at: sql<Date>`now()` });
}

test.concurrent('promise 21: an hour’s rate limit occupies no worker and delays no other installation', async () => {
  await using world = await createWorld({ script: followInstruction });
  const { github, installationId } = world;
  const settings = 'labels: [docs, api]\nreviewers: [zoe]\n';
  const other = await addOther(world, { '.github/pagewright.yml': settings });
  github.addUser('zoe');
  github.setPermission('other/docs', 'zoe', 'write');
  await using service = await startInWorld(world, { WORKER_CONCURRENCY: '1' }, realTiming);
  await lookedAfter(world);
  const reset = new Date(Date.now() + 3600_000);
  const limit = github.inject({ path: mints(installationId), kind: 'primary-limit', reset });
  const { id } = await service.caller.create('First');
  expect((await blocked(world, installationId)).seconds).toBeGreaterThan(3500);
  await parked(world, id);
  const seen = github.requests.length;

  const { id: theirs } = await other.callerAt(service.url).create('Theirs');
  expect(await settled(world, theirs)).toBe('completed');
  const writes = github.requests.slice(seen).filter(isWrite);
  expect(writes.map(({ route }) => route)).toEqual([
    'POST /repos/:owner/:repo/pulls',
    expect.stringContaining('/labels'),
    expect.stringContaining('/requested_reviewers'),
  ]);

  expect(limit.hits()).toBe(1);
  const own = () => listOwn(world, installationId).filter((request) => github.requests.indexOf(request) >= seen);
  expect(own()).toEqual([]);
  await pass(world, id, 3700);
  expect(await settled(world, id)).toBe('completed');
});

test.concurrent('promise 21: without retry-after, a run waits one minute, then two, and starts again after a success', async () => {
  await using world = await createWorld({ script: followInstruction });
  const { github, installationId, database } = world;
  await using service = await startInWorld(world, {}, realTiming);
  await lookedAfter(world);
  github.inject({ path: mints(installationId), kind: 'secondary-limit', times: 2 });
  const { id } = await service.caller.create('First');
  expect(Math.round((await blocked(world, installationId)).seconds)).toBeCloseTo(60, -1);
  await parked(world, id);
  await pass(world, id, 65);
  expect(Math.round((await blocked(world, installationId)).seconds)).toBeCloseTo(120, -1);
  await parked(world, id);
  await pass(world, id, 125);
  expect(await settled(world, id)).toBe('completed');
  const rows = database.database.selectFrom('installations').select('blocked_until');
  expect(await rows.execute()).toEqual([{ blocked_until: null }]);
});

import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { createProjectKey } from '../../../src/keys/project-keys.ts';
import { createCaller } from '../../caller.ts';
import { openEmbeddedDatabase } from '../../embedded-database.ts';
import { startReceiver } from '../../start-receiver.ts';
import { startInWorld } from '../../start-service.ts';
import { openWorld } from '../../world.ts';
import { guideFiles, guideInstructions } from './shown-guides.ts';
import { instructions, shownFiles, shownScript } from './shown-site.ts';

/** Of the large job. */
const followUps = 11;

/** A service with projects, jobs in every state, and something to see on every page. Rita maintains and operates. */
export async function openShownWorld() {
  await using cleanup = new AsyncDisposableStack();
  const world = cleanup.use(await openWorld({ script: shownScript, openDatabase: openEmbeddedDatabase }));
  const { database } = world.database;
  const project = await world.addProject('acme', shownFiles);
  const empty = await world.addProject('acme-labs', { 'index.md': '# Labs\n' });
  const guides = await world.addProject('acme-guides', guideFiles);
  for (const { repository } of [project, empty, guides])
    world.github.setPermission(repository.fullName, 'rita', 'maintain');
  const receiver = cleanup.use(
    await startReceiver({ answer: ({ path }) => ({ status: path.includes('status') ? 503 : 204 }) }),
  );
  const service = cleanup.use(
    await startInWorld(
      { ...world, ...project },
      {
        OPERATORS: 'rita',
        WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
        OPENAI_MODELS: 'gpt-test,gpt-test-mini',
        OPENAI_PRICES: '{"gpt-test":{"in":1.25,"cachedIn":0.125,"out":10}}',
      },
    ),
  );
  const { caller } = service;
  const { projectId, repository } = project;
  const guideCaller = createCaller({ url: service.url, project: guides });

  const play = async (prompt: string) => {
    const { id } = await caller.create(prompt);
    return caller.settled(id);
  };
  const ago = (hours: number) => sql`interval '1 hour' * ${hours}::float8`;
  /** As if all of the job had been earlier. */
  async function shift(jobId: string, hours: number): Promise<void> {
    await sql`update jobs set created_at = created_at - ${ago(hours)} where job_id = ${jobId}`.execute(database);
    await sql`update messages set created_at = created_at - ${ago(hours)} where job_id = ${jobId}`.execute(database);
    await sql`update runs set started_at = started_at - ${ago(hours)}, ended_at = ended_at - ${ago(hours)} where job_id = ${jobId}`.execute(
      database,
    );
  }

  for (const path of ['hook', 'status-page'])
    await caller.call('POST', '/../webhook', { url: `http://${receiver.host}/${path}` });
  const glossary = await play(instructions.glossary);
  await world.rita.mergePullRequest(repository.fullName, 1);
  await caller.until(glossary.id, ({ status }) => status === 'archived');
  await shift(glossary.id, 75);
  await shift((await play(instructions.nothing)).id, 50);
  await shift((await play(instructions.uploads)).id, 26);
  const refused = await play(instructions.refused);
  await shift(refused.id, 3.2);
  const main = await play(instructions.raiseLimit);
  await shift(main.id, 0.6);
  world.rita.comment(repository.fullName, 3, instructions.addExample);
  await caller.until(main.id, ({ status }) => status === 'active');
  await caller.settled(main.id);
  world.github.addUser('mona');
  world.github.setPermission(repository.fullName, 'mona', 'write');
  const mona = world.github.asPerson('mona');
  await mona.review(repository.fullName, 2, { state: 'CHANGES_REQUESTED', body: '' });
  await mona.review(repository.fullName, 3, { state: 'APPROVED' });
  const pushed = await database
    .selectFrom('runs')
    .select('commit_sha')
    .where('job_id', '=', main.id)
    .orderBy('number', 'desc')
    .executeTakeFirst();
  world.rita.report(repository.fullName, { name: 'docs', headSha: pushed?.commit_sha ?? '', conclusion: 'success' });
  const big = await guideCaller.create(guideInstructions.rewrite);
  await guideCaller.settled(big.id);
  for (let round = 1; round < followUps; round += 1) {
    await guideCaller.message(big.id, `${guideInstructions.follow}, please (${round}).`);
    await guideCaller.settled(big.id);
  }
  const live = await caller.create(instructions.translate);
  // As if the tries of the first day were over.
  const over = sql`job_id = ${refused.id} and state = 'waiting'`;
  await sql`update webhook_deliveries set state = 'failed', finished_at = now() where ${over}`.execute(database);

  for (const [name, days] of [
    ['release notes', 90],
    ['nightly', 30],
    ['old laptop', -1],
  ] as const)
    await createProjectKey(database, { projectId, name, expiresAt: new Date(Date.now() + days * 24 * 3600_000) });
  await sql`
    insert into usage (project_id, day, model, key_id, runs, turns, tokens_in, tokens_cached, tokens_out)
    select ${projectId}, (now() at time zone 'UTC')::date - back, 'gpt-test', '', runs, runs * 6, runs * 41300, runs * 30100, runs * 2600
    from (select back, (3.5 + 3 * sin(back * 1.3) + (back % 5))::int as runs from generate_series(1, 29) back where back % 7 not in (2, 3)) days`.execute(
    database,
  );
  await sql`
    insert into redeliveries (delivery_id, tries, asked_at, attempt_id, failed_at, due_at) values
      ('5f1c2b90-8a11-11f0-9d37-3f5d8e1a2c44', 2, now(), '4101', now() - interval '31 minutes', now() + interval '9 minutes'),
      ('0b7d9e12-89f4-11f0-8c02-a1f2c3d4e5f6', 16, now(), '4066', now() - interval '2 days', null)`.execute(database);
  await sql`insert into sessions (sha256, user_id, login, used_at) values (${randomBytes(32)}, 7, 'mona', now() - interval '2 hours')`.execute(
    database,
  );

  const held = cleanup.move();
  return {
    url: service.url,
    projectId,
    name: repository.fullName,
    emptyProjectId: empty.projectId,
    guidesProjectId: guides.projectId,
    jobs: { main: main.id, live: live.id, refused: refused.id, merged: glossary.id, big: big.id },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

import { sql } from 'kysely';
import { createVisitor, type Visitor } from '../../harness/visitor.ts';
import { createProjectKey } from '../../src/keys/create-key.ts';
import { drawBrokenSession, drawForeignOrigin, drawRead, drawWrite } from '../grammars/visits.ts';
import type { Trial } from '../trial.ts';
import type { World } from '../world/world.ts';

const form = { method: 'POST', body: 'prompt=Delete+everything.&name=x&expires=30&url=https://evil.example/' };
const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' };

/** Sessions that are broken, ended, expired, planted or another person's open nothing. */
export async function trySessions({ world, ledger, random, size }: Trial): Promise<void> {
  const { project, ids, canary, count } = await openRoom(world);
  const pages = `/projects/${project.projectId}`;
  world.github.addUser('mallory');
  const enter = async (login: string) => {
    const visitor = createVisitor({ url: world.url, github: world.github });
    await visitor.signIn(login);
    return visitor;
  };
  const cookieOf = ({ cookies }: Visitor) => cookies.get('pagewright_session') ?? '';
  const rita = cookieOf(await enter('rita'));
  const other = `pagewright_session=${cookieOf(await enter('mallory'))}`;
  const out = await enter('rita');
  const ended = `pagewright_session=${cookieOf(out)}`;
  await out.post('/auth/sign-out');
  const expired = `pagewright_session=${await openExpired(world, () => enter('rita'))}`;

  const broken: string[] = [];
  const before = await count();
  for (let left = size; left > 0; left -= 1) {
    const cookie = random.pick([
      drawBrokenSession(random, rita),
      drawBrokenSession(random, rita),
      other,
      ended,
      expired,
    ]);
    const isRead = random.between(0, 1) < 0.5;
    const path = `${pages}${isRead ? drawRead(random, ids) : drawWrite(random, ids)}`;
    const own = { origin: world.url, 'sec-fetch-site': 'same-origin' };
    const answer = await fetch(`${world.url}${path}`, {
      ...(!isRead && form),
      headers: { ...(!isRead && { ...formHeaders, ...own }), cookie },
      redirect: 'manual',
    });
    const text = await answer.text();
    if (answer.status < 400 || answer.status >= 500 || text.includes(canary))
      broken.push(`${isRead ? 'GET' : 'POST'} ${path} with ${cookie.slice(0, 60)} was answered ${answer.status}`);
  }
  // A session that somebody planted before the sign-in is not the person's afterwards.
  for (let left = Math.ceil(size / 20); left > 0; left -= 1) {
    const victim = createVisitor({ url: world.url, github: world.github });
    const planted = random.pick([cookieOf(await enter('mallory')), 'A'.repeat(43), rita.split('').reverse().join('')]);
    victim.cookies.set('pagewright_session', planted);
    await victim.signIn('rita');
    const { status } = await fetch(`${world.url}${pages}`, { headers: { cookie: `pagewright_session=${planted}` } });
    if (cookieOf(victim) === planted || status < 400) broken.push(`a planted session opened the project: ${status}`);
  }
  broken.push(...describeMore(before, await count()));
  ledger.count(36, 'dashboard: sessions', size + Math.ceil(size / 20), broken);
}

/** A page of another site that sends forms in the name of somebody who is signed in changes nothing. */
export async function tryForeignPages({ world, ledger, random, size }: Trial): Promise<void> {
  const { project, ids, count } = await openRoom(world);
  const rita = createVisitor({ url: world.url, github: world.github });
  await rita.signIn('rita');
  const cookie = [...rita.cookies].map((pair) => pair.join('=')).join('; ');
  const broken: string[] = [];
  const before = await count();
  for (let left = size; left > 0; left -= 1) {
    const path = `/projects/${project.projectId}${drawWrite(random, ids)}`;
    const origin = drawForeignOrigin(random, world.url);
    const type = random.pick(['application/x-www-form-urlencoded', 'application/x-www-form-urlencoded', 'text/plain']);
    const headers = { ...origin, cookie, 'content-type': type };
    const { status } = await fetch(`${world.url}${path}`, { ...form, headers, redirect: 'manual' });
    if (status !== 403 && status !== 405) broken.push(`POST ${path} ${JSON.stringify(origin)} was answered ${status}`);
  }
  const signOut = await rita.post(
    '/auth/sign-out',
    {},
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  );
  if (signOut.status !== 403) broken.push(`a foreign page signed a person out: ${signOut.status}`);
  broken.push(...describeMore(before, await count()));
  ledger.count(36, 'dashboard: foreign pages', size + 1, broken);
}

/** A project with a job and a key, which rita maintains. */
async function openRoom(world: World) {
  const project = await world.addProject({ 'index.md': '# Docs\n' });
  world.github.setPermission(project.repository.fullName, 'rita', 'maintain');
  const canary = `canary-${project.projectId.slice(-8)}`;
  const { id: jobId } = await project.caller.create(`Only asked: ${canary}.`);
  await project.caller.settled(jobId);
  const { database } = world.database;
  const { keyId } = await createProjectKey(database, { projectId: project.projectId, name: canary, expiresAt: null });
  /** Everything that a write would change. */
  const count = async () => {
    const { rows } = await sql<Record<string, number>>`
      select (select count(*) from jobs where project_id = ${project.projectId} and status = 'completed') as jobs,
        (select count(*) from messages join jobs using (job_id) where project_id = ${project.projectId}) as messages,
        (select count(*) from api_keys where project_id = ${project.projectId} and revoked_at is null) as keys,
        (select count(*) from webhooks where project_id = ${project.projectId}) as webhooks`.execute(database);
    return JSON.stringify(rows[0]);
  };
  return { project, ids: { jobId, keyId }, canary, count };
}

async function openExpired({ database: { database } }: World, enter: () => Promise<Visitor>): Promise<string> {
  const { rows } = await sql<{ at: Date }>`select now() as at`.execute(database);
  const visitor = await enter();
  await sql`update sessions set used_at = now() - interval '9 hours' where created_at >= ${rows[0]?.at}`.execute(
    database,
  );
  return visitor.cookies.get('pagewright_session') ?? '';
}

const describeMore = (before: string, after: string): string[] =>
  before === after ? [] : [`something was changed: ${before}, then ${after}`];

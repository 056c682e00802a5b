import { sql } from 'kysely';
import { createVisitor, type Visited, type Visitor } from '../../../harness/visitor.ts';
import { createProjectKey } from '../../../src/keys/project-keys.ts';
import { drawPageLine, drawPageText } from '../grammars/page-texts.ts';
import { drawBrokenSession, drawForeignOrigin, drawRead, drawWrite } from '../grammars/visits.ts';
import { findHeaderFault, findPageDamage } from '../judges/find-page-damage.ts';
import type { Trial } from '../trial.ts';
import type { Project, World } from '../world/world.ts';

const enter = async (world: World, login: string) => {
  const visitor = createVisitor({ url: world.url, github: world.github });
  await visitor.signIn(login);
  return visitor;
};

/** What people, callers, repositories and the model write is only text on every page of the dashboard. */
export async function tryPageTexts({ world, ledger, random, size }: Trial): Promise<void> {
  const settings = { labels: [drawPageLine(random, 50)], instructions: drawPageText(random) };
  const files = { 'index.md': '# Docs\n', '.github/pagewright.yml': JSON.stringify(settings) };
  const project = await world.addProject(files);
  world.github.setPermission(project.repository.fullName, 'rita', 'maintain');
  const rita = await enter(world, 'rita');
  const pages = `/projects/${project.projectId}`;
  const broken: string[] = [];
  let tries = 0;
  const judge = (place: string, { status, text, headers }: Visited) => {
    tries += 1;
    const faults = [...findPageDamage(text), findHeaderFault(headers), status >= 500 && `a ${status}`];
    broken.push(...faults.flatMap((fault) => (fault ? [`${place}: ${fault}`] : [])));
  };

  for (let left = Math.ceil(size / 25); left > 0; left -= 1) {
    const job = await playHostileRun({ world, random }, project);
    const address = `${pages}/jobs/${job.id}`;
    const shown = await rita.get(`${address}?diff=unified`);
    judge('a job', shown);
    judge('a job, side by side', await rita.get(`${address}?diff=split`));
    for (const [, run = ''] of shown.text.matchAll(/href="[^"]+\/runs\/(run_\w+)"/g))
      judge('turns', await rita.get(`${address}/runs/${run}`));
    if (!shown.text.includes(job.canary)) broken.push(`a job lacks ${job.canary} of its instruction`);
  }
  for (let left = size; left > 0; left -= 1) {
    const [text, line] = [drawPageText(random), drawPageLine(random, 90)];
    const query = encodeURIComponent(text);
    const url = `https://hooks.example.com/${random.pick([query, line, line.replaceAll(' ', '')])}`;
    const [place, visit] = random.pick<[string, () => Promise<Visited>]>([
      ['a key', () => rita.post(`${pages}/keys`, { name: line, expires: '30' })],
      ['a wrong key', () => rita.post(`${pages}/keys`, { name: text, expires: line })],
      ['a webhook', () => rita.post(`${pages}/webhooks`, { url })],
      ['a wrong job', () => rita.post(`${pages}/jobs/new`, { prompt: ' ', ref: text, model: line })],
      ['a filter', () => rita.get(`${pages}?status=${query}`)],
      ['a position', () => rita.get(`${pages}?after=${query}`)],
      ['days', () => rita.get(`${pages}/usage?from=${query}&by=${query}`)],
      ['a path', () => rita.get(`${pages}/${query}`)],
      ['a target', () => createVisitor({ url: world.url, github: world.github }).get(`${pages}/keys?x=${query}`)],
      ['a callback', () => rita.get(`/auth/callback?state=${query}&error=${query}`)],
    ]);
    judge(place, await visit());
  }
  for (const room of ['', '/keys', '/webhooks', '/usage?by=key', '/settings'])
    judge(`the page ${room}`, await rita.get(`${pages}${room}`));
  ledger.count(19, 'dashboard: texts', tries, broken);
}

/** A job with hostile words in its instruction, in what the model says and calls, in its title, its file names and its change. */
async function playHostileRun({ world, random }: Pick<Trial, 'world' | 'random'>, project: Project) {
  const canary = `canary-${Math.floor(random.between(0, 1e9))}`;
  const text = drawPageText(random);
  const content = `# Page\n\n\`\`\`\`\n${drawPageText(random).replaceAll('`', '')}\n\`\`\`\`\n`;
  const path = `${drawPageLine(random, 60).replaceAll(/[/\\`]/g, '') || 'page'}-${canary}.md`;
  const calls = [
    { name: 'write_file', arguments: { path, content } },
    { name: 'write_file', arguments: { path: `plain-${canary}.md`, content } },
    { name: drawPageLine(random, 60), arguments: { path: drawPageText(random) } },
  ];
  const words = { title: drawPageLine(random, 60), summary: drawPageText(random) };
  const name = world.addScript(({ turn }) =>
    turn === 0 ? { text, calls } : { calls: [{ name: 'finish', arguments: words }] },
  );
  // The API refuses NUL.
  const prompt = drawPageText(random).replaceAll('\0', '');
  const { id } = await project.caller.create(`${prompt} ${canary} ${name}`);
  await project.caller.settled(id);
  return { id, canary };
}

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

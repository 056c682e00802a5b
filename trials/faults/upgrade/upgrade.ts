import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { createOctokit } from '../../../harness/create-octokit.ts';
import { eventually } from '../../../harness/eventually.ts';
import { createSilentLog } from '../../../src/log.ts';
import { createDatabase, type Database } from '../../../src/store/postgres/database.ts';
import { instruct, slowRun } from '../kinds/kinds.ts';
import type { Trial } from '../trial.ts';
import { listCounted, noteTakeovers } from '../world/takeovers.ts';
import { addTrialProject, callApi, type TrialProject } from '../world/trial-project.ts';
import { checkOutOlderVersion, olderCommit, spawnVersion, type VersionProcess } from './older-version.ts';

const trial = 'upgrade';
const projects = 4;

/** The answers that callers got. */
interface Told {
  /** Accepted instructions, with their jobs. */
  accepted: Map<string, string>;
  refused: string[];
}

/**
 * An upgrade under load: two processes of an older version on a fresh database, two of this one start beside them at once, an older one
 * starts again, then the older ones get SIGTERM one by one.
 */
export async function tryUpgrade({ world, rounds, ledger }: Trial): Promise<void> {
  await using older = await checkOutOlderVersion(world.directory);
  if (!older) {
    console.log(`  ${trial} is skipped: this clone lacks the commit ${olderCommit}; git fetch --unshallow brings it`);
    return;
  }
  await rounds.stop();
  await using cleanup = new AsyncDisposableStack();
  const name = `upgrade_${Date.now()}`;
  await sql`create database ${sql.ref(name)}`.execute(world.database);
  const DATABASE_URL = world.server.databaseUrl.replace(/\/pagewright\?/, `/${name}?`);
  const log = createSilentLog();
  const database = cleanup.use(createDatabase({ connection: { ...world.server.connection, database: name }, log }));
  const secret = world.environment.WEBHOOK_SECRET ?? '';
  cleanup.defer(() => world.github.setWebhook(`${world.webUrl()}/api/github/webhooks`, secret));
  let started = 0;
  const start = async (code?: string): Promise<VersionProcess> => {
    started += 1;
    const cwd = join(world.directory, `upgrade-${started}`);
    const environment = { ...world.environment, DATABASE_URL };
    return cleanup.use(await spawnVersion({ cwd, environment, ...(code !== undefined && { code }) }));
  };

  const olderOnes = await Promise.all([start(older.code), start(older.code)]);
  const alive = [...olderOnes];
  world.github.setWebhook(`${olderOnes[0].url}/api/github/webhooks`, secret);
  await using takeovers = await noteTakeovers(database);
  const ended = new AbortController();
  const told: Told = { accepted: new Map(), refused: [] };
  const load = Promise.all(Array.from({ length: projects }, (_, index) => loadProject(index)));
  await delay(4_000);

  const newerOnes = await Promise.all([start(), start()]);
  world.github.setWebhook(`${newerOnes[0].url}/api/github/webhooks`, secret);
  alive.push(...newerOnes);
  await delay(3_000);
  const restarted = await start(older.code);
  alive.push(restarted);
  const knows = restarted.lines.some((line) => line.includes('a later version has migrated the database'));
  ledger.count(27, trial, 3, knows ? [] : ['an older process did not see that a later version migrated']);
  await delay(2_000);
  for (const process of [...olderOnes, restarted]) {
    alive.splice(alive.indexOf(process), 1);
    const { code, signal } = await process.kill('SIGTERM');
    ledger.count(27, trial, 1, code === 0 ? [] : [`an older process ended with ${code ?? signal}`]);
    await delay(1_000);
  }
  await delay(3_000);
  ended.abort();
  const added = await load;

  const met = told.accepted.size > 0 ? [] : ['no request was accepted'];
  ledger.count(27, trial, told.accepted.size, [...met, ...told.refused]);
  ledger.count(2, trial, told.accepted.size, await findUnanswered(database, told));
  for (const jobId of new Set(told.accepted.values())) {
    const broken = [...(await judgeJob(database, jobId)), ...listCounted(await takeovers.list(jobId))];
    ledger.count(
      27,
      trial,
      1,
      broken.map((text) => `${jobId}: ${text}`),
    );
  }
  for (const project of added) ledger.count(1, trial, 1, await findWrongPullRequests(project));
  for (const process of newerOnes) await process.kill('SIGTERM');

  /** One job with a follow-up after the other, each request to another process. */
  async function loadProject(nth: number): Promise<TrialProject> {
    const { github } = world;
    const project = await addTrialProject({ github, database, account: `upgrade-${nth}`, kind: 'plain' });
    let sent = 0;
    const send = async (path: string, prompt: string): Promise<string> => {
      sent += 1;
      const process = alive[(nth + sent) % alive.length];
      const { status, jobId } = await callApi(process?.url ?? '', project, path, { prompt });
      if (status < 200 || status > 299 || !jobId) {
        told.refused.push(`POST ${path}: ${status}`);
        await delay(500);
        return '';
      }
      told.accepted.set(prompt, jobId);
      return jobId;
    };
    while (!ended.signal.aborted) {
      const instruction = (which: string) => `${instruct(slowRun.name, project)} This is ${which} of ${sent}.`;
      const jobId = await send('', instruction('the first'));
      if (!jobId) continue;
      await delay(700);
      await send(`/${jobId}/message`, instruction('more'));
      await untilSettled(database, jobId);
    }
    return project;
  }

  async function findWrongPullRequests({ installationId, fullName }: TrialProject): Promise<string[]> {
    const [owner = '', repo = ''] = fullName.split('/');
    const { pulls } = createOctokit(world, installationId).rest;
    const { data } = await pulls.list({ owner, repo, state: 'all', per_page: 100 });
    const { rows } = await sql<{ id: string }>`
      select job_id as id from jobs join projects using (project_id) where owner = ${owner}`.execute(database);
    const count = (jobId: string) => data.filter(({ head }) => head.ref.endsWith(jobId.slice(-8))).length;
    return rows.flatMap(({ id }) => (count(id) === 1 ? [] : [`${id} has ${count(id)} pull requests`]));
  }
}

const untilSettled = (database: Database, jobId: string) =>
  eventually(
    async () => {
      const { rows } = await sql`select from jobs where job_id = ${jobId} and status <> 'active'`.execute(database);
      return rows.length > 0 || undefined;
    },
    { what: `${jobId} is settled`, withinMs: 90_000 },
  );

/** Each accepted instruction is one message, answered once. */
async function findUnanswered(database: Database, { accepted }: Told): Promise<string[]> {
  const { rows } = await sql<{ prompt: string; state: string }>`select prompt, state from messages`.execute(database);
  return [...accepted.keys()].flatMap((prompt) => {
    const states = rows.filter((row) => row.prompt === prompt).map(({ state }) => state);
    return states.join() === 'answered' ? [] : [`"${prompt}" is ${states.join() || 'lost'}`];
  });
}

/** Its runs published, and its events have no gap. An older process writes none. */
async function judgeJob(database: Database, jobId: string): Promise<string[]> {
  const { rows: runs } = await sql<{ code: string | null }>`select code from runs where job_id = ${jobId}`.execute(
    database,
  );
  const { rows: events } = await sql<{ seq: number; next: number }>`
    select seq, next_event as next from events join jobs using (job_id) where job_id = ${jobId} order by seq`.execute(
    database,
  );
  const isGapless = events.every(({ seq, next }, index) => seq === index + 1 && next === events.length + 1);
  return [
    ...runs.filter(({ code }) => code !== 'published').map(({ code }) => `a run ended ${code}`),
    ...(isGapless ? [] : [`its events have a gap: ${events.map(({ seq }) => seq).join()}`]),
  ];
}

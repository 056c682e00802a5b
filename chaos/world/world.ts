import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { eventually } from '../../harness/eventually.ts';
import { startGitHub } from '../../local/github/start-github.ts';
import { startModelServer } from '../../local/model/start-model-server.ts';
import { createLog } from '../../src/log.ts';
import { migrate } from '../../src/store/migrate.ts';
import { createDatabase } from '../../src/store/postgres/database.ts';
import type { Outside, Stage } from '../kinds/kind.ts';
import { instruct, playKinds } from '../kinds/kinds.ts';
import { startDatabaseServer } from '../processes/database-server.ts';
import { type ServiceProcess, spawnProcess } from '../processes/spawn-process.ts';
import { type ApiAnswer, addSite, callApi, type Site, type SiteKind } from './sites.ts';

const webhookSecret = 'webhook-secret-of-the-trials';

export type World = Awaited<ReturnType<typeof openWorld>>;

/**
 * Everything outside of the workers: a database server of its own, a GitHub, a model server, and one process that serves API and
 * webhooks. Workers are started into it, and ended by the trials.
 */
export async function openWorld() {
  await using cleanup = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'pagewright-chaos-'));
  let isKept = false;
  cleanup.defer(async () => {
    if (!isKept) await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });
  const server = cleanup.use(await startDatabaseServer({ directory: join(directory, 'database') }));
  const log = createLog({ level: 'silent', redact: (line) => line });
  const database = createDatabase({ connection: server.connection, log });
  cleanup.defer(() => database.destroy());
  await migrate(database);
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const app = { id: 4242, slug: 'pagewright-chaos', privateKey, webhookSecret };
  // Some minutes of trials take more tokens than an App has in an hour.
  const hourlyLimit = 1_000_000;
  const github = cleanup.use(await startGitHub({ directory: join(directory, 'github'), app, hourlyLimit }));
  const model = cleanup.use(await startModelServer({ script: playKinds(() => outside) }));
  github.addUser('rita');
  const rita = github.asPerson('rita');
  const processes = cleanup.use(new AsyncDisposableStack());
  const sites = new Map<string, Promise<Site>>();
  const stages = new Map<string, Stage>();
  let count = 0;
  let web: ServiceProcess | undefined;

  const environment = {
    DATABASE_URL: server.databaseUrl,
    APP_ID: String(app.id),
    PRIVATE_KEY: privateKey,
    WEBHOOK_SECRET: webhookSecret,
    GITHUB_API_URL: github.apiUrl,
    GITHUB_URL: github.webUrl,
    OPENAI_BASE_URL: model.url,
    OPENAI_MODEL: 'chaos',
    PORT: '0',
    JOB_RATE_LIMIT_PER_HOUR: '0',
    // As many runs wait in one worker as all kinds of a round have points.
    WORKER_CONCURRENCY: '160',
  };

  /** A service as a process, by its role and whatever else is set. `machine`: whose disk it has. */
  async function spawn(role: string, { machine = 'a', ...more }: Record<string, string> = {}): Promise<ServiceProcess> {
    count += 1;
    const name = `${role}-${count}`;
    const spawned = await spawnProcess({
      name,
      directory,
      machine,
      environment: { ...environment, ROLE: role, ...more },
    });
    return processes.use(spawned);
  }

  async function startWeb(more: Record<string, string> = {}): Promise<ServiceProcess> {
    web = await spawn('web', more);
    github.setWebhook(`${web.url}/api/github/webhooks`, webhookSecret);
    return web;
  }
  await startWeb();
  const webUrl = () => web?.url ?? '';

  /**
   * Comes again when it is told to, as a caller should: with dozens of runs at work the database may not answer in time. Unless it was done
   * all the same, with its COMMIT on the way when the time was up: that is the caller's to find out.
   */
  async function callPatiently(site: Site, path: string, body: { prompt?: string }): Promise<ApiAnswer> {
    const known = new Set((await listMessages(site, body.prompt)).map(({ message_id }) => message_id));
    for (let patience = 20; ; patience -= 1) {
      const answer = await callApi(webUrl(), site, path, body);
      if (answer.status !== 503 || patience === 0) return answer;
      await delay(500);
      const done = (await listMessages(site, body.prompt)).find(({ message_id }) => !known.has(message_id));
      if (done) return { ...answer, status: path === '' ? 201 : 200, jobId: done.job_id };
    }
  }

  const listMessages = ({ projectId }: Site, prompt = '') =>
    database
      .selectFrom('messages')
      .innerJoin('jobs', 'jobs.job_id', 'messages.job_id')
      .select(['message_id', 'messages.job_id'])
      .where('project_id', '=', projectId)
      .where('prompt', '=', prompt)
      .execute();

  const outside: Outside = {
    rita,
    async message(site, jobId, prompt) {
      const { status } = await callPatiently(site, `/${jobId}/message`, { prompt });
      if (status !== 200) throw new Error(`could not send a message to ${jobId}: ${status}`);
    },
    async messageBeside(fullName, prompt) {
      const stage = stages.get(fullName);
      if (!stage) throw new Error(`no job is known of ${fullName}`);
      await outside.message(stage.site, stage.jobId, prompt);
    },
    async cancelBeside(fullName) {
      const stage = stages.get(fullName);
      if (!stage) throw new Error(`no job is known of ${fullName}`);
      const { status } = await callPatiently(stage.site, `/${stage.jobId}/cancel`, {});
      if (status !== 200) throw new Error(`could not cancel ${stage.jobId}: ${status}`);
    },
    /** As somebody who has the branch checked out. */
    async pushAsPerson(fullName, files) {
      const branch = stages.get(fullName)?.branch;
      if (!branch) throw new Error(`no branch is known of ${fullName}`);
      await rita.pushCommit(fullName, branch, files, 'Write something by hand');
    },
  };

  const world = {
    ...outside,
    github,
    model,
    database,
    server,
    directory,
    /** Leaves its folder for a person to look at: the log of each process, the database, the repositories. */
    keep() {
      isKept = true;
    },
    environment,
    spawn,
    startWeb,
    webUrl,
    web: () => web,
    /** Workers that make no claim until they are told to. */
    spawnWorker: (more: Record<string, string> = {}) => spawn('worker', { CLAIMS: 'closed', ...more }),
    /** Who goes on after this one: on its disk, with all that it left there, or on another. */
    spawnHeir: ({ machine }: ServiceProcess, { isSameDisk, ...more }: { isSameDisk: boolean; CLAIMS?: 'open' }) =>
      spawn('worker', { CLAIMS: 'closed', machine: isSameDisk ? machine : otherThan(machine), ...more }),
    /** The n-th site of a kind; made when it is first asked for. */
    site(kind: SiteKind, nth: number): Promise<Site> {
      const account = `${kind}-${nth}`;
      const site = sites.get(account) ?? addSite({ github, database, account, kind });
      sites.set(account, site);
      return site;
    },
    /** Creates a job and remembers it as the one of its site. */
    async createJob(site: Site, name: string): Promise<Stage> {
      const { status, jobId } = await callPatiently(site, '', { prompt: instruct(name, site) });
      if (status !== 201 || !jobId) throw new Error(`could not create a job: ${status}`);
      const stage: Stage = { site, jobId, pullRequest: null, branch: null };
      stages.set(site.fullName, stage);
      return stage;
    },
    /** The stage as it is now, with the pull request that its job has got. One that is archived is the site’s no longer. */
    async refreshStage(stage: Stage): Promise<Stage> {
      const job = await database
        .selectFrom('jobs')
        .select(['status', 'pull_request_number', 'branch'])
        .where('job_id', '=', stage.jobId)
        .executeTakeFirstOrThrow();
      const fresh = { ...stage, pullRequest: job.pull_request_number, branch: job.branch };
      if (job.status === 'archived') stages.delete(stage.site.fullName);
      else stages.set(stage.site.fullName, fresh);
      return fresh;
    },
    /** Where the messages of a job came from: `comment:…`, `review:…`, or its own id. */
    async listSources(jobId: string): Promise<string[]> {
      const found = await database.selectFrom('messages').select('source_key').where('job_id', '=', jobId).execute();
      return found.map(({ source_key }) => source_key);
    },
    /** Resolves when each of these has become a message. */
    async untilMessages(
      wanted: readonly { jobId: string; sourceKey: string }[],
      { withinMs = 60_000 }: { withinMs?: number } = {},
    ): Promise<void> {
      const look = async () => {
        const found = await database.selectFrom('messages').select(['job_id', 'source_key']).execute();
        const known = new Set(found.map(({ job_id, source_key }) => `${job_id} ${source_key}`));
        return wanted.every(({ jobId, sourceKey }) => known.has(`${jobId} ${sourceKey}`)) || undefined;
      };
      await eventually(look, { what: 'everything said is a message', withinMs });
    },
    /** Which of these jobs are archived by now. */
    async listArchived(jobIds: readonly string[]): Promise<string[]> {
      const found = await database
        .selectFrom('jobs')
        .select('job_id')
        .where('job_id', 'in', jobIds)
        .where('status', '=', 'archived')
        .execute();
      return found.map(({ job_id }) => job_id);
    },
    /** The site's next run begins with a job of its own. */
    forgetStage: ({ site }: Stage) => void stages.delete(site.fullName),
    /** The job that was created last on a site. */
    findStage: (fullName: string) => stages.get(fullName),
    /** What time does: the leases of this process run out. Returns the jobs that it had. */
    async expireLeases({ pid }: ServiceProcess): Promise<string[]> {
      const { rows } = await sql<{ job_id: string }>`
        update jobs set lease_until = now() where lease_owner like ${`%-${pid}-%`} and lease_until > now()
          returning job_id`.execute(database);
      return rows.map(({ job_id }) => job_id);
    },
    /** Resolves when nothing is left to do about these jobs, nor any delivery or answer. */
    async settled(jobIds: readonly string[], { withinMs = 90_000 }: { withinMs?: number } = {}): Promise<void> {
      let left: unknown;
      const look = async () => {
        // What GitHub has to tell of the last write may still be on its way.
        await github.deliveries.settled();
        left = await listUnsettled(jobIds);
        return (left as unknown[]).length === 0 || undefined;
      };
      await eventually(look, { what: 'the jobs are settled', withinMs }).catch((cause) => {
        throw new Error(`these are not settled: ${JSON.stringify(left)}`, { cause });
      });
    },
    [Symbol.asyncDispose]: async () => {},
  };

  async function listUnsettled(jobIds: readonly string[]) {
    const { rows } = await sql<{ what: string }>`
      select 'job ' || job_id || ' is ' || status as what from jobs
        where job_id = any(${jobIds}) and (status = 'active' or due_at is not null)
      union all select 'message ' || message_id || ' is ' || state from messages
        where job_id = any(${jobIds}) and state in ('waiting', 'taken')
      -- What an archived job's run was about to do is never done; what was promised is.
      union all select 'effect ' || key || ' of ' || job_id || ' is ' || state from effects
        join jobs using (job_id)
        where job_id = any(${jobIds}) and state = 'intended' and (status <> 'archived' or epoch = 0)
      union all select 'delivery ' || delivery_id || ' is ' || state from deliveries where state = 'stored'`.execute(
      database,
    );
    return rows.map(({ what }) => what);
  }

  const held = cleanup.move();
  world[Symbol.asyncDispose] = () => held.disposeAsync();
  return world;
}

const otherThan = (machine: string) => (machine === 'a' ? 'b' : 'a');

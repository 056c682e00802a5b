import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { eventually } from '../../../harness/eventually.ts';
import { onBusyMachine } from '../../../harness/on-busy-machine.ts';
import { openWorld as openSharedWorld } from '../../../harness/world.ts';
import { createSilentLog } from '../../../src/log.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { createDatabase } from '../../../src/store/postgres/database.ts';
import type { People, TrialJob } from '../kinds/kind.ts';
import { instruct, playKinds } from '../kinds/kinds.ts';
import { startDatabaseServer } from '../processes/database-server.ts';
import { type ServiceProcess, spawnGatedService } from '../processes/spawn-gated-service.ts';
import { type ApiAnswer, addTrialProject, callApi, type ProjectKind, type TrialProject } from './trial-project.ts';

export type World = Awaited<ReturnType<typeof openWorld>>;

/** A world with a database server and one process that serves API and webhooks. The trials start and end the workers. */
export async function openWorld() {
  await using cleanup = new AsyncDisposableStack();
  // Minutes of trials take more tokens than GitHub grants an App in an hour.
  const hourlyLimit = 1_000_000;
  const outer = cleanup.use(await openSharedWorld({ script: playKinds(() => people), openDatabase, hourlyLimit }));
  const { directory, github, model, rita } = outer;
  const { server, database } = outer.database;
  const processes = cleanup.use(new AsyncDisposableStack());
  const projects = new Map<string, Promise<TrialProject>>();
  const trialJobs = new Map<string, TrialJob>();
  let count = 0;
  let web: ServiceProcess | undefined;

  const environment: Record<string, string> = {
    ...outer.environment,
    JOB_RATE_LIMIT_PER_HOUR: '0',
    // A worker must hold one waiting run for every point of a round.
    WORKER_CONCURRENCY: '160',
  };

  /** A service process by its role and extra settings. Processes of one machine share a disk. */
  async function spawn(role: string, { machine = 'a', ...more }: Record<string, string> = {}): Promise<ServiceProcess> {
    count += 1;
    const name = `${role}-${count}`;
    const spawned = await spawnGatedService({
      name,
      directory,
      machine,
      environment: { ...environment, ROLE: role, ...more },
    });
    return processes.use(spawned);
  }

  async function startWeb(more: Record<string, string> = {}): Promise<ServiceProcess> {
    web = await spawn('web', more);
    github.setWebhook(`${web.url}/api/github/webhooks`, environment.WEBHOOK_SECRET ?? '');
    return web;
  }
  await startWeb();
  const webUrl = () => web?.url ?? '';

  /**
   * Retries as a caller should: with dozens of runs the database may time out. The message may still be stored, so the caller looks first.
   */
  async function callPatiently(project: TrialProject, path: string, body: { prompt?: string }): Promise<ApiAnswer> {
    const earlier = new Set((await listMessages(project, body.prompt)).map(({ message_id }) => message_id));
    for (let patience = 20; ; patience -= 1) {
      const answer = await callApi(webUrl(), project, path, body);
      if (answer.status !== 503 || patience === 0) return answer;
      await delay(500);
      const done = (await listMessages(project, body.prompt)).find(({ message_id }) => !earlier.has(message_id));
      if (done) return { ...answer, status: path === '' ? 201 : 200, jobId: done.job_id };
    }
  }

  const listMessages = ({ projectId }: TrialProject, prompt = '') =>
    database
      .selectFrom('messages')
      .innerJoin('jobs', 'jobs.job_id', 'messages.job_id')
      .select(['message_id', 'messages.job_id'])
      .where('project_id', '=', projectId)
      .where('prompt', '=', prompt)
      .execute();

  const people: People = {
    rita,
    async message(project, jobId, prompt) {
      const { status } = await callPatiently(project, `/${jobId}/message`, { prompt });
      if (status !== 200) throw new Error(`could not send a message to ${jobId}: ${status}`);
    },
    async messageBeside(fullName, prompt) {
      const trialJob = trialJobs.get(fullName);
      if (!trialJob) throw new Error(`no job under trial in ${fullName}`);
      await people.message(trialJob.project, trialJob.jobId, prompt);
    },
    async cancelBeside(fullName) {
      const trialJob = trialJobs.get(fullName);
      if (!trialJob) throw new Error(`no job under trial in ${fullName}`);
      const { status } = await callPatiently(trialJob.project, `/${trialJob.jobId}/cancel`, {});
      if (status !== 200) throw new Error(`could not cancel ${trialJob.jobId}: ${status}`);
    },
    /** As a person who has the branch checked out. */
    async pushAsPerson(fullName, files) {
      const branch = trialJobs.get(fullName)?.branch;
      if (!branch) throw new Error(`no branch under trial in ${fullName}`);
      await rita.pushCommit(fullName, branch, files, 'Write something by hand');
    },
  };

  const world = {
    ...people,
    github,
    model,
    database,
    server,
    directory,
    keep: outer.keep,
    environment,
    spawn,
    startWeb,
    webUrl,
    web: () => web,
    /** Workers that claim nothing until they are ordered to. */
    spawnWorker: (more: Record<string, string> = {}) => spawn('worker', { CLAIMS: 'closed', ...more }),
    /** The next worker: on the disk of the first with everything it left there, or on another. */
    spawnHeir: ({ machine }: ServiceProcess, { isSameDisk, ...more }: { isSameDisk: boolean; CLAIMS?: 'open' }) =>
      spawn('worker', { CLAIMS: 'closed', machine: isSameDisk ? machine : otherThan(machine), ...more }),
    /** The n-th project of a kind, made on first use. */
    project(kind: ProjectKind, nth: number): Promise<TrialProject> {
      const account = `${kind}-${nth}`;
      const project = projects.get(account) ?? addTrialProject({ github, database, account, kind });
      projects.set(account, project);
      return project;
    },
    async createJob(project: TrialProject, name: string): Promise<TrialJob> {
      const { status, jobId } = await callPatiently(project, '', { prompt: instruct(name, project) });
      if (status !== 201 || !jobId) throw new Error(`could not create a job: ${status}`);
      const trialJob: TrialJob = { project, jobId, pullRequest: null, branch: null };
      trialJobs.set(project.fullName, trialJob);
      return trialJob;
    },
    /** The trial job with its current pull request. An archived job is no longer its project's job. */
    async refreshTrialJob(trialJob: TrialJob): Promise<TrialJob> {
      const job = await database
        .selectFrom('jobs')
        .select(['status', 'pull_request_number', 'branch'])
        .where('job_id', '=', trialJob.jobId)
        .executeTakeFirstOrThrow();
      const fresh = { ...trialJob, pullRequest: job.pull_request_number, branch: job.branch };
      if (job.status === 'archived') trialJobs.delete(trialJob.project.fullName);
      else trialJobs.set(trialJob.project.fullName, fresh);
      return fresh;
    },
    /** The source keys of a job's messages: `comment:…`, `review:…`, or the message's own id. */
    async listSources(jobId: string): Promise<string[]> {
      const found = await database.selectFrom('messages').select('source_key').where('job_id', '=', jobId).execute();
      return found.map(({ source_key }) => source_key);
    },
    async untilMessages(
      expected: readonly { jobId: string; sourceKey: string }[],
      { withinMs = 60_000 }: { withinMs?: number } = {},
    ): Promise<void> {
      const look = async () => {
        const found = await database.selectFrom('messages').select(['job_id', 'source_key']).execute();
        const stored = new Set(found.map(({ job_id, source_key }) => `${job_id} ${source_key}`));
        return expected.every(({ jobId, sourceKey }) => stored.has(`${jobId} ${sourceKey}`)) || undefined;
      };
      await eventually(look, { what: 'every comment is a message', withinMs });
    },
    async listArchived(jobIds: readonly string[]): Promise<string[]> {
      const found = await database
        .selectFrom('jobs')
        .select('job_id')
        .where('job_id', 'in', jobIds)
        .where('status', '=', 'archived')
        .execute();
      return found.map(({ job_id }) => job_id);
    },
    /** A job that stays would run in a later trial. */
    async archive(project: TrialProject, jobId: string): Promise<void> {
      const { status } = await callPatiently(project, `/${jobId}/archive`, {});
      if (status !== 200) throw new Error(`could not archive ${jobId}: ${status}`);
    },
    /** The project's next run begins with a new job. */
    forgetTrialJob: ({ project }: TrialJob) => void trialJobs.delete(project.fullName),
    findTrialJob: (fullName: string) => trialJobs.get(fullName),
    /** Expires the leases of this process, and returns their jobs. */
    async expireLeases({ pid }: ServiceProcess): Promise<string[]> {
      const { rows } = await sql<{ job_id: string }>`
        update jobs set lease_until = now() where lease_owner like ${`%-${pid}-%`} and lease_until > now()
          returning job_id`.execute(database);
      return rows.map(({ job_id }) => job_id);
    },
    /** Resolves when nothing is left to do for these jobs, nor any delivery or reply. */
    async settled(
      jobIds: readonly string[],
      { withinMs = onBusyMachine(90_000) }: { withinMs?: number } = {},
    ): Promise<void> {
      let left: unknown;
      const look = async () => {
        // The delivery of the last write may still be on its way.
        await github.deliveries.settled();
        left = await listUnsettled(jobIds);
        return (left as unknown[]).length === 0 || undefined;
      };
      await eventually(look, { what: 'the jobs are settled', withinMs }).catch((cause) => {
        throw new Error(`not settled: ${JSON.stringify(left)}`, { cause });
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

  const disposables = cleanup.move();
  world[Symbol.asyncDispose] = () => disposables.disposeAsync();
  return world;
}

async function openDatabase(directory: string) {
  await using cleanup = new AsyncDisposableStack();
  const server = cleanup.use(await startDatabaseServer({ directory: join(directory, 'database') }));
  const { connection } = server;
  const log = createSilentLog();
  const database = cleanup.use(createDatabase({ connection, log }));
  await migrate(database);
  const disposables = cleanup.move();
  return { server, connection, database, [Symbol.asyncDispose]: () => disposables.disposeAsync() };
}

const otherThan = (machine: string) => (machine === 'a' ? 'b' : 'a');

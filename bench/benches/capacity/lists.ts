import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { sql } from 'kysely';
import { z } from 'zod';
import { createProject } from '../../../harness/create-project.ts';
import { serveApi } from '../../../harness/serve-api.ts';
import { startPostgres } from '../../../harness/start-postgres.ts';
import { createLog } from '../../../src/log.ts';
import { listJobs } from '../../../src/store/lists/list-jobs.ts';
import { type Connection, createDatabase } from '../../../src/store/postgres/database.ts';
import type { JobStatus, MessageSource } from '../../../src/store/tables/columns.ts';
import { describeRatio, type Figure, formatMs, median } from '../../figures/figure.ts';
import { time } from '../../figures/time.ts';
import { openStore } from '../../world/open-store.ts';

const many = 1_000_000;
const few = 100;
const rounds = 300;
/** A statement ends after 30 s. */
const atOnce = 50_000;
const atMost = 1.5;

const pageShape = z.object({ jobs: z.array(z.object({ id: z.string() })), nextCursor: z.string().nullable() });

/**
 * Reads pages of a project with a million jobs and of one with a hundred, in turns. One job in 10,000 failed and has a review, and of the
 * hundred, one: two pages that are compared have equally many jobs.
 */
export async function benchLists(): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'pagewright-bench-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  const { connection } = cleanup.use(await startPostgres(dataDir));
  const { database, queue, log } = cleanup.use(await openStore(connection));
  const api = cleanup.use(await serveApi({ store: { database, queue }, log }));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  cleanup.defer(() => agent.destroy());

  const open = async (repositoryId: number, count: number) => {
    const { projectId, key } = await createProject(database, { repositoryId, repo: `docs-${repositoryId}` });
    await fill(connection, { projectId, count, letter: repositoryId === 1 ? 'a' : 'b' });
    const read = async (query: string) => {
      const headers = { authorization: `Bearer ${key}` };
      const sending = request(`${api.url}/v2/agent/${projectId}/job${query}`, { headers, agent });
      sending.end();
      const [response] = await once(sending, 'response');
      const answer = await readText(response);
      if (response.statusCode !== 200) throw new Error(`could not read ${query}: ${answer}`);
      return pageShape.parse(JSON.parse(answer));
    };
    /** Filters like the dashboard. */
    const readBySource = (source: MessageSource, limit: number, statuses?: JobStatus[]) =>
      listJobs(database, { projectId, source, statuses }, { limit, after: undefined });
    return { read, readBySource };
  };
  const { read: ofMany, readBySource: bySourceOfMany } = await open(1, many);
  const { read: ofFew, readBySource: bySourceOfFew } = await open(2, few);

  const deep = async (read: typeof ofMany, pages: number) => {
    let cursor: string | null = null;
    for (let page = 0; page < pages; page += 1) {
      const { nextCursor } = await read(`?limit=20${cursor === null ? '' : `&cursor=${cursor}`}`);
      cursor = nextCursor;
    }
    return `?limit=20&cursor=${cursor}`;
  };
  const deepOfMany = await deep(ofMany, 2);
  const deepOfFew = await deep(ofFew, 2);
  return [
    await compare(
      'first page',
      () => ofMany(''),
      () => ofFew(''),
    ),
    await compare(
      'third page',
      () => ofMany(deepOfMany),
      () => ofFew(deepOfFew),
    ),
    await compare(
      'one status of few jobs',
      () => ofMany('?status=failed&limit=1'),
      () => ofFew('?status=failed&limit=1'),
    ),
    await compare(
      'a status of no job',
      () => ofMany('?status=active'),
      () => ofFew('?status=active'),
    ),
    await compare(
      'a pull request',
      () => ofMany('?pullRequest=77'),
      () => ofFew('?pullRequest=77'),
    ),
    await compare(
      'a source of few jobs',
      () => bySourceOfMany('review', 1),
      () => bySourceOfFew('review', 1),
    ),
    await compare(
      'a source of all jobs and a status of few',
      () => bySourceOfMany('api', 1, ['failed']),
      () => bySourceOfFew('api', 1, ['failed']),
    ),
    await compare(
      'a source of no job',
      () => bySourceOfMany('dashboard', 50),
      () => bySourceOfFew('dashboard', 50),
    ),
  ];
}

async function compare(what: string, first: () => Promise<unknown>, second: () => Promise<unknown>): Promise<Figure> {
  const pairs: { ours: number; theirs: number }[] = [];
  for (let round = -20; round < rounds; round += 1) {
    const isFirst = round % 2 === 0;
    const before = isFirst ? undefined : await time(second);
    const ours = await time(first);
    const theirs = before ?? (await time(second));
    if (round >= 0) pairs.push({ ours, theirs });
  }
  const figure = describeRatio(`${what}, 1,000,000 jobs against 100`, pairs, { atMost });
  const [ours, theirs] = [median(pairs.map((pair) => pair.ours)), median(pairs.map((pair) => pair.theirs))];
  return { ...figure, measured: `${formatMs(ours)} against ${formatMs(theirs)}: ${figure.measured}` };
}

/** Finished jobs with their messages, and nothing else. */
async function fill(
  connection: Connection,
  { projectId, count, letter }: { projectId: string; count: number; letter: string },
): Promise<void> {
  const log = createLog({ level: 'silent', redact: (line) => line });
  await using database = createDatabase({ connection, log, max: 1 });
  for (let from = 1; from <= count; from += atOnce) {
    const to = Math.min(count, from + atOnce - 1);
    await sql`
      insert into jobs (job_id, project_id, status, base, branch, model, draft, pull_request_number, created_at, archived_at)
      select ${`job_${letter}`} || lpad(n::text, 25, '0'), ${projectId},
        case when n % 10000 = 77 then 'failed' when n % 100 = 0 then 'completed' else 'archived' end,
        'main', 'pagewright/change-' || n, 'gpt-5', false, n, now(),
        case when n % 10000 = 77 or n % 100 = 0 then null else now() end
      from generate_series(${from}::int, ${to}::int) n`.execute(database);
    await sql`
      insert into messages (message_id, job_id, seq, source, source_key, author, prompt, state)
      select 'msg_' || right(job_id, 26) || seq, job_id, seq, case seq when 1 then 'api' else 'review' end, 'key_' || seq, 'ci', 'Fix.', 'answered'
      from generate_series(${from}::int, ${to}::int) n, generate_series(1, case when n % 10000 = 77 then 2 else 1 end) seq,
        lateral (select ${`job_${letter}`} || lpad(n::text, 25, '0') as job_id) named`.execute(database);
  }
  await sql`vacuum analyze jobs, messages`.execute(database);
}

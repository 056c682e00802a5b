import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { startPostgres } from '../../../harness/start-postgres.ts';
import type { Database } from '../../../src/store/postgres/database.ts';
import { claimJob } from '../../../src/store/schedule/claim-job.ts';
import { describeLatencies, type Figure } from '../../figures/figure.ts';
import { time } from '../../figures/time.ts';
import { fillId } from '../../world/fill-database.ts';
import { openStore } from '../../world/open-store.ts';

const backlogs = [100, 1_000, 10_000];
const projects = 1_000;
const claims = 100;
const yielding = { repositoryIds: Array.from({ length: 1_000 }, (_, index) => index), forMs: 1_000, isLastSlot: false };

/** How long a claim takes by the number of due jobs, of a thousand projects, with a thousand mirrors. Takes half a minute. */
export async function benchClaims(): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'pagewright-bench-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  const { connection } = cleanup.use(await startPostgres(dataDir));
  const { database } = cleanup.use(await openStore(connection));
  await fillProjects(database);
  const figures: Figure[] = [];
  for (const backlog of backlogs) {
    await fillJobs(database, backlog);
    await claimJob(database, 'warm-up', { yielding });
    const taken: number[] = [];
    for (let claim = 0; claim < Math.min(claims, backlog - 1); claim += 1)
      taken.push(await time(() => claimJob(database, 'bench', { yielding })));
    figures.push(describeLatencies(`a claim of ${backlog.toLocaleString('en-US')} due jobs`, taken, { share: 0.99 }));
  }
  return figures;
}

async function fillProjects(database: Database): Promise<void> {
  await sql`insert into installations (installation_id, account) values (1, 'acme')`.execute(database);
  await sql`insert into projects (project_id, repository_id, installation_id, owner, repo, default_branch)
    select 'prj_' || n, n, 1, 'acme', 'docs-' || n, 'main' from generate_series(1, ${projects}::int) n`.execute(
    database,
  );
}

async function fillJobs(database: Database, count: number): Promise<void> {
  await sql`delete from jobs`.execute(database);
  await sql`insert into jobs (job_id, project_id, status, base, model, draft, due_at, next_seq, lease_epoch)
    select ${fillId('job', 0)} || n, 'prj_' || (1 + n % ${projects}::int), 'active', 'main', 'gpt-5', false,
      now() - interval '10 seconds', 1, 0
    from generate_series(1, ${count}::int) n`.execute(database);
  await sql`vacuum analyze jobs`.execute(database);
}

import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { startInWorld } from '../../harness/start-service.ts';
import { realTiming, type Timing } from '../../src/timing.ts';
import { startDatabaseProxy } from '../../trials/faults/processes/database-proxy.ts';
import { createWorld } from '../support/worlds/world.ts';
import { followInstruction } from './instructed-model.ts';

/** A service whose database can be taken away, with a job that is over. */
export async function createOutageWorld(timing: Timing = realTiming) {
  await using cleanup = new AsyncDisposableStack();
  const world = cleanup.use(await createWorld({ script: followInstruction }));
  const proxy = cleanup.use(await startDatabaseProxy({ target: world.database.connection }));
  const service = cleanup.use(await startInWorld(world, { DATABASE_URL: proxy.databaseUrl }, timing));
  const { id: oldJobId } = await service.caller.create('Before');
  await service.caller.settled(oldJobId);

  function ask(method: string, path: string, body?: object) {
    const headers = { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    return timed(`${service.url}/v2/agent/${world.projectId}/job${path}`, init);
  }

  /** An event that is always stored: GitHub is asked what it means. */
  function deliver(deliveryId: string) {
    const body = JSON.stringify({
      action: 'suspend',
      installation: { id: 999_999, account: { login: 'nobody', id: 1, type: 'User' }, suspended_at: null },
      sender: { login: 'rita', id: 5, type: 'User' },
    });
    const signature = createHmac('sha256', world.environment.WEBHOOK_SECRET ?? '')
      .update(body)
      .digest('hex');
    const headers = {
      'content-type': 'application/json',
      'x-github-event': 'installation',
      'x-github-delivery': deliveryId,
      'x-hub-signature-256': `sha256=${signature}`,
    };
    return timed(`${service.url}/api/github/webhooks`, { method: 'POST', headers, body });
  }

  async function countRows() {
    const { database } = world.database;
    const count = async (table: 'jobs' | 'messages') =>
      (
        await database
          .selectFrom(table)
          .select((all) => all.fn.countAll<number>().as('rows'))
          .executeTakeFirstOrThrow()
      ).rows;
    // The pull requests of jobs are told, too.
    const delivered = await database
      .selectFrom('deliveries')
      .select('delivery_id')
      .where('event', '!=', 'pull_request')
      .execute();
    return { jobs: await count('jobs'), messages: await count('messages'), deliveries: delivered.length };
  }

  /** How many statements wait for a lock in this world's database. */
  async function countBlocked(): Promise<number> {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      world.database.database,
    );
    return rows.length;
  }

  const held = cleanup.move();
  return {
    world,
    proxy,
    service,
    oldJobId,
    ask,
    deliver,
    countRows,
    countBlocked,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** What a request is answered, and after how long. */
export async function timed(url: string, init: RequestInit = {}) {
  const startedAt = performance.now();
  const response = await fetch(url, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, elapsedMs: performance.now() - startedAt };
}

import { sql } from 'kysely';
import type { Trial } from './trial.ts';

/** They start at once on an empty database. */
export async function tryStarts({ world, ledger }: Trial, { count }: { count: number }): Promise<void> {
  const name = `starts_${Date.now()}`;
  await sql`create database ${sql.ref(name)}`.execute(world.database);
  const DATABASE_URL = world.server.databaseUrl.replace(/\/pagewright\?/, `/${name}?`);
  const started = await Promise.allSettled(
    Array.from({ length: count }, () => world.spawnWorker({ CLAIMS: 'open', DATABASE_URL })),
  );
  const failed = started.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
  ledger.count(27, 'starts', count, failed);
  for (const one of started) if (one.status === 'fulfilled') await one.value.kill('SIGTERM');
}

import pg from 'pg';
import type { Connection } from '../../../src/store/postgres/database.ts';
import { wakeUpChannel } from '../../../src/store/schedule/workers.ts';

const endOfCount = 'end of count';

/** Counts the wake-ups that were committed. */
export async function countWakeUps(connection: Connection) {
  const client = new pg.Client(connection);
  let wakeUps = 0;
  let onEnd = () => {};
  client.on('notification', ({ payload }) => {
    if (payload === endOfCount) onEnd();
    else wakeUps += 1;
  });
  await client.connect();
  await client.query(`listen ${wakeUpChannel}`);
  return {
    /** Since the last read. */
    async read(): Promise<number> {
      // Notifications arrive in the order of their commits.
      const { promise, resolve } = Promise.withResolvers<void>();
      onEnd = resolve;
      await client.query(`notify ${wakeUpChannel}, '${endOfCount}'`);
      await promise;
      const read = wakeUps;
      wakeUps = 0;
      return read;
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}

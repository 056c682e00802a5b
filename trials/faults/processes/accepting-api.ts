import { serveApi } from '../../../harness/serve-api.ts';
import { createSilentLog } from '../../../src/log.ts';
import { createDatabase } from '../../../src/store/postgres/database.ts';
import { createQueue } from '../../../src/store/schedule/queue.ts';

// The API alone: it starts fast, and its one connection carries nothing but what requests need.
const { DATABASE_URL = '', QUEUE_URL = '' } = process.env;
const log = createSilentLog();
const database = createDatabase({ connection: { connectionString: DATABASE_URL }, log, max: 1 });
const queue = createQueue({ connection: { connectionString: QUEUE_URL }, log });
await queue.start();
const { url } = await serveApi({ store: { database, queue }, log });
process.send?.({ url });
// The parent is gone, and nobody else would end this process.
process.on('disconnect', () => process.exit(1));

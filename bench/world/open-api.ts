import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { z } from 'zod';
import { createApi } from '../../src/http/api/server.ts';
import { createKey } from '../../src/keys/keys.ts';
import { createLog } from '../../src/log.ts';
import { migrate } from '../../src/store/migrate.ts';
import { type Connection, createDatabase } from '../../src/store/postgres/database.ts';
import { createQueue } from '../../src/store/schedule/queue.ts';

export type OpenApi = Awaited<ReturnType<typeof openApi>>;

/** The API over a database of its own, in this process, with one project and nobody who works on its jobs. */
export async function openApi({ connection }: { connection: Connection }) {
  await using cleanup = new AsyncDisposableStack();
  const log = createLog({ level: 'silent', redact: (line) => line });
  const database = createDatabase({ connection, log });
  cleanup.defer(() => database.destroy());
  await migrate(database);
  const queue = createQueue({ connection, log });
  await queue.start();
  cleanup.defer(() => queue.stop());
  const installation = { installationId: 1, account: 'acme', suspendedAt: null };
  const repository = { repositoryId: 1, installationId: 1, owner: 'acme', repo: 'docs', defaultBranch: 'main' };
  const findInstalledRepository = async () => ({ installation, repository });
  const place = { owner: 'acme', repo: 'docs' };
  const created = await createKey({ database, ...place, name: 'bench', expiresAt: null, findInstalledRepository });
  if (!created) throw new Error('could not create a key');
  const { projectId, key } = created;

  const openai: { models: [string, ...string[]] } = { models: ['bench'] };
  const config = { role: 'all' as const, github: { webUrl: 'https://github.com' }, openai, jobRateLimitPerHour: 0 };
  const server = createServer(createApi({ store: { database, queue }, config, log }));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const agent = new Agent({ keepAlive: true });
  cleanup.defer(() => {
    agent.destroy();
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;

  async function call(path: string, body?: string): Promise<string> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const url = `http://127.0.0.1:${port}/v2/agent/${projectId}/job${path}`;
    const sending = request(url, { method: body === undefined ? 'GET' : 'POST', headers, agent });
    sending.end(body);
    const [response] = await once(sending, 'response');
    const answer = await readText(response);
    if (response.statusCode >= 300) throw new Error(`could not call ${url}: ${response.statusCode} ${answer}`);
    return answer;
  }

  const held = cleanup.move();
  return {
    database,
    projectId,
    read: (jobId: string) => call(`/${jobId}`),
    readRuns: (jobId: string) => call(`/${jobId}/runs`),
    async create(): Promise<string> {
      const answer = await call('', JSON.stringify({ prompt: 'Say how it is done.' }));
      return z.object({ id: z.string() }).parse(JSON.parse(answer)).id;
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

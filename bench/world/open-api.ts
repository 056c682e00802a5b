import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { z } from 'zod';
import { createProject } from '../../harness/create-project.ts';
import { serveApi } from '../../harness/serve-api.ts';
import type { Connection } from '../../src/store/postgres/database.ts';
import { openStore } from './open-store.ts';

export type OpenApi = Awaited<ReturnType<typeof openApi>>;

export async function openApi({ connection }: { connection: Connection }) {
  await using cleanup = new AsyncDisposableStack();
  const { database, queue, log } = cleanup.use(await openStore(connection));
  const { projectId, key } = await createProject(database);
  const api = cleanup.use(
    await serveApi({ store: { database, queue }, config: { openai: { models: ['bench'], images: false } }, log }),
  );
  const agent = new Agent({ keepAlive: true });
  cleanup.defer(() => agent.destroy());

  async function call(path: string, body?: string): Promise<string> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const url = `${api.url}/v2/agent/${projectId}/job${path}`;
    const sending = request(url, { method: body === undefined ? 'GET' : 'POST', headers, agent });
    sending.end(body);
    const [response] = await once(sending, 'response');
    const answer = await readText(response);
    if (response.statusCode >= 300) throw new Error(`could not call ${url}: ${response.statusCode} ${answer}`);
    return answer;
  }

  const disposables = cleanup.move();
  return {
    database,
    projectId,
    read: (jobId: string) => call(`/${jobId}`),
    readRuns: (jobId: string) => call(`/${jobId}/runs`),
    list: (query: string) => call(query),
    async create(): Promise<string> {
      const answer = await call('', JSON.stringify({ prompt: 'Say how it is done.' }));
      return z.object({ id: z.string() }).parse(JSON.parse(answer)).id;
    },
    [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  };
}

import { once } from 'node:events';
import type { ApiConfig } from '../src/http/api/endpoint.ts';
import { createApi } from '../src/http/api/server.ts';
import { createBodyBudget } from '../src/http/bodies/body-budget.ts';
import { createReadBody } from '../src/http/bodies/read-body.ts';
import { createHttpServer } from '../src/http/create-http-server.ts';
import type { OpenProject } from '../src/projects/open-project.ts';

/** Serves the API alone, on a free port of 127.0.0.1. */
export async function serveApi({
  config = {},
  cursorSecret = 'shared by all processes',
  redact = (text) => text,
  openProject = () => Promise.reject(new Error('this API cannot ask GitHub')),
  ...parts
}: Omit<Parameters<typeof createApi>[0], 'config' | 'readBody' | 'cursorSecret' | 'redact' | 'openProject'> & {
  config?: Partial<ApiConfig>;
  cursorSecret?: string;
  redact?: (text: string) => string;
  openProject?: OpenProject;
}) {
  const defaults: ApiConfig = {
    role: 'all',
    github: { webUrl: 'https://github.com' },
    openai: { models: ['gpt-5', 'gpt-5-mini'] },
    jobRateLimitPerHour: 0,
  };
  const readBody = createReadBody({ budget: createBodyBudget() });
  const server = createHttpServer(
    createApi({ ...parts, readBody, cursorSecret, redact, openProject, config: { ...defaults, ...config } }),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the API has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

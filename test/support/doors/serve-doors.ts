import { inject } from 'vitest';
import { parseConfig } from '../../../src/config/config.ts';
import { createReadDiff } from '../../../src/diffs/read-diff.ts';
import { startHttpServer } from '../../../src/http/server.ts';
import { createSilentLog } from '../../../src/log.ts';
import { createOutbound } from '../../../src/outbound/outbound.ts';
import type { OpenProject } from '../../../src/projects/open-project.ts';
import { createRoles } from '../../../src/projects/roles.ts';
import type { Store } from '../../../src/store/store.ts';
import { createThreads } from '../../../src/threads/threads.ts';
import { realTiming } from '../../../src/timing.ts';

export const webhookSecret = 'a-secret-of-enough-characters';

/** All that listens, as the service serves it, over the test's database. Without `openProject`, nothing can ask GitHub. */
export async function serveDoors(
  store: Store,
  environment: Record<string, string> = {},
  openProject: OpenProject = () => Promise.reject(new Error('these doors cannot ask GitHub')),
) {
  await using cleanup = new AsyncDisposableStack();
  const config = parseConfig({
    APP_ID: '1',
    PRIVATE_KEY: inject('privateKey'),
    WEBHOOK_SECRET: webhookSecret,
    OPENAI_API_KEY: 'sk-1',
    OPENAI_MODEL: 'a-model',
    PORT: '0',
    JOB_RATE_LIMIT_PER_HOUR: '0',
    ...environment,
  });
  const threads = createThreads();
  cleanup.defer(threads.close);
  const { url, open } = await startHttpServer(
    {
      config,
      log: createSilentLog(),
      store,
      github: {
        fetchApp: async () => ({ slug: 'acme-docs', name: 'Acme Docs' }),
        fetchInstallation: async () => undefined,
        describeInstallations: async () => ({
          app: {
            missing: { permissions: [], events: [] },
            url: 'https://github.com/settings/apps/acme-docs/permissions',
          },
          installations: [],
        }),
      },
      metrics: { contentType: 'text/plain', onHttpRequest: () => {} },
      degraded: () => [],
      problems: () => [],
      examine: async () => [],
      readMetrics: async () => 'up 1\n',
      threads,
      authorization: null,
      readFile: async () => undefined,
      readDiff: createReadDiff({ openProject, repositories: undefined }),
      changes: { readAtOnce: async () => [] },
      automations: {
        runDue: async () => {},
        prepare: async () => ({ kind: 'unknown' }),
        run: async () => ({ kind: 'nothing' }),
        listRecent: async () => ({ kind: 'unknown' }),
      },
      readContextStates: async () => [],
      openProject,
      roles: createRoles({ openProject }),
      outbound: createOutbound(config),
      redactor: { redact: (text) => text },
      notifications: { on: () => {} },
      timing: realTiming,
    },
    cleanup,
  );
  open();
  const running = cleanup.move();
  return { url, port: Number(new URL(url).port), [Symbol.asyncDispose]: () => running.disposeAsync() };
}

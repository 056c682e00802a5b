import { tmpdir } from 'node:os';
import { createPrivateKey } from '../../harness/create-private-key.ts';
import type { DeliveryParts } from '../../src/deliveries/delivery-context.ts';
import { createWriteAccess } from '../../src/deliveries/instructions/write-access.ts';
import { createGit } from '../../src/git/git.ts';
import { createMirrors } from '../../src/git/mirrors/mirrors.ts';
import { createAccessPool } from '../../src/github/auth/access-pool.ts';
import { createGitHubApp } from '../../src/github/auth/app.ts';
import { createSilentLog } from '../../src/log.ts';
import { createOpenProject } from '../../src/projects/open-project.ts';
import { createRoles } from '../../src/projects/roles.ts';
import { createBranchRules } from '../../src/runs/prepare/branch-rules.ts';
import type { RunParts } from '../../src/runs/run-context.ts';
import { createScanner } from '../../src/secrets/scanner.ts';
import { takeStepDirectly } from '../../src/steps.ts';
import type { Queue } from '../../src/store/schedule/queue.ts';
import type { EffectKey } from '../../src/store/tables/jobs/effects.ts';
import { createRedactor, noRedaction } from '../../src/text/redact.ts';
import { createThreads } from '../../src/threads/threads.ts';
import { realTiming } from '../../src/timing.ts';
import { createWorkspaces } from '../../src/workspace/workspaces.ts';
import type { TestDatabase } from '../support/databases/database.ts';
import { noChanges } from '../support/values/no-changes.ts';
import { createFetch } from './answer-request.ts';
import type { MemoryGitHub } from './memory-github.ts';

/** What waits in the queue. One that a rolled back transaction put in means nothing, as everything in the queue may. */
export type Entry = { kind: 'delivery'; deliveryId: string; isLater: boolean } | ({ kind: 'answer' } & EffectKey);

const privateKey = createPrivateKey();

/** The service's own parts over a test database and a GitHub in memory. `entries` is the queue, which a test works off by hand. */
export function createParts({ database, store }: TestDatabase, memory: MemoryGitHub) {
  const entries: Entry[] = [];
  const queue: Queue = {
    ...store.queue,
    async send(_tx, _name, entry) {
      if ('deliveryId' in entry) entries.push({ kind: 'delivery', deliveryId: entry.deliveryId, isLater: false });
      else if ('jobId' in entry && 'key' in entry) entries.push({ kind: 'answer', jobId: entry.jobId, key: entry.key });
    },
  };
  const { fetch, failNextWrite, requests } = createFetch(memory);
  const webUrl = 'http://github.test';
  const apiUrl = 'http://api.github.test';
  const github = createGitHubApp({ appId: '77', privateKey, apiUrl, webUrl, fetch, retryDelaysMs: [] });
  const secrets = createRedactor([privateKey]);
  const log = createSilentLog();
  const shared = {
    database,
    queue,
    github,
    threads: createThreads(),
    timing: realTiming,
    limits: { rateLimit: 0 },
    takeStep: takeStepDirectly,
    log,
  };
  const openProject = createOpenProject({ database, github, accesses: createAccessPool({ github, secrets }) });
  const deliveryParts: DeliveryParts = {
    ...shared,
    openProject,
    changes: noChanges,
    models: ['gpt-test'],
    secrets: noRedaction,
    ...createWriteAccess({ roles: createRoles({ openProject }), log }),
  };
  const git = createGit({ allowHttp: true });
  const directory = tmpdir();
  const threads = createThreads();
  const runParts: RunParts = {
    ...shared,
    threads,
    scanText: createScanner({ threads }),
    git,
    mirrors: createMirrors({ git, directory, maxBytes: 0 }),
    workspaces: createWorkspaces({ git, directory }),
    modelNamed: () => {
      throw new Error('no run of this test asks a model');
    },
    models: [],
    onCheckReport: () => {},
    contextTokens: 1,
    limits: { maxTurns: 1, maxTokens: 1, maxSeconds: 1, maxChangedFiles: 1, maxChangedBytes: 1 },
    webUrl,
    readBranchRules: createBranchRules(),
    changes: noChanges,
    readImages: null,
    redactor: secrets,
  };
  return { ...shared, openProject, deliveryParts, runParts, entries, requests, failNextWrite };
}

export type Parts = ReturnType<typeof createParts>;

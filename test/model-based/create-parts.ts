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
import { noChanges } from '../support/values/no-changes.ts';
import { createWorld } from '../support/worlds/world.ts';

export const ourLogin = 'pagewright-test[bot]';

/** What waits in the queue. One that a rolled back transaction put in means nothing, as everything in the queue may. */
export type Entry = { kind: 'delivery'; deliveryId: string; isLater: boolean } | ({ kind: 'answer' } & EffectKey);

/** A pull request, a comment or a reply. */
const writes = /\/(?:comments|replies|pulls)$/;

/** A world whose GitHub has the time of a test, and in which nobody runs but by hand. */
export async function openParts() {
  let nowMs = 0;
  const world = await createWorld({
    script: () => {
      throw new Error('no run of this test asks a model');
    },
    clock: () => new Date(nowMs),
    hourlyLimit: 1_000_000,
  });
  const { github, repository } = world;
  github.setPermission(repository.fullName, 'max', 'admin');
  github.setPermission(repository.fullName, 'eve', 'read');
  github.addUser('robot[bot]', { type: 'Bot' });
  await world.rita.pushCommit(repository.fullName, 'next', { 'next.md': '# Next\n' }, 'Begin what comes next');
  return {
    ...createParts(world),
    world,
    /** GitHub makes the next pull request, comment or reply, and its answer gets lost. Disposing takes that back. */
    loseNextAnswer() {
      const { remove } = github.inject({ kind: 'after', method: 'POST', path: writes });
      return { [Symbol.dispose]: remove };
    },
    /** Lets a second of GitHub pass. */
    tick: () => {
      nowMs += 1000;
    },
    /** GitHub's time is at least the real one, and stands still from now on. */
    setClock: () => {
      nowMs = Math.max(nowMs, Math.floor(Date.now() / 1000) * 1000);
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

/** The service's own parts. `entries` is the queue, which a test works off by hand. */
function createParts({ app, database: { database, store }, environment, github: { apiUrl, webUrl } }: World) {
  const entries: Entry[] = [];
  const queue: Queue = {
    ...store.queue,
    async send(_tx, _name, entry) {
      if ('deliveryId' in entry) entries.push({ kind: 'delivery', deliveryId: entry.deliveryId, isLater: false });
      else if ('jobId' in entry && 'key' in entry) entries.push({ kind: 'answer', jobId: entry.jobId, key: entry.key });
    },
  };
  const next: { onWritten?: (() => void) | undefined } = {};
  const fetchAndTell: typeof globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init);
    const { onWritten } = next;
    if (!onWritten || init?.method !== 'POST' || !writes.test(response.url)) return response;
    next.onWritten = undefined;
    onWritten();
    init.signal?.throwIfAborted();
    return response;
  };
  const { privateKey } = app;
  const github = createGitHubApp({
    ...{ appId: String(app.id), privateKey, apiUrl, webUrl },
    ...{ fetch: fetchAndTell, retryDelaysMs: [] },
  });
  const secrets = createRedactor([privateKey]);
  const log = createSilentLog();
  const threads = createThreads();
  const shared = {
    ...{ database, queue, github, threads, log },
    timing: realTiming,
    limits: { rateLimit: 0 },
    takeStep: takeStepDirectly,
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
  const directory = environment.DATA_DIR ?? '';
  const runParts: RunParts = {
    ...shared,
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
  return {
    ...{ ...shared, openProject, deliveryParts, runParts, entries },
    /** Calls `act` right after GitHub has made the next pull request, comment or reply. */
    onNextWrite: (act: (() => void) | undefined) => Object.assign(next, { onWritten: act }),
  };
}

type World = Awaited<ReturnType<typeof createWorld>>;

export type Parts = Awaited<ReturnType<typeof openParts>>;

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../harness/eventually.ts';
import { type SpawnedService, spawnService } from '../../harness/processes/spawn-service.ts';
import { startInWorld } from '../../harness/start-service.ts';
import { realTiming } from '../../src/timing.ts';
import { createWorld, type World } from '../support/worlds/world.ts';
import { afterLastEffect, atModelRequest, atRequest, type CrashPoint, expireLease, settled } from './crash-points.ts';
import { readGitHub } from './github-state.ts';
import { countRepeats, followInstruction } from './instructed-model.ts';

const push = /\/git-receive-pack$/;
const pulls = /\/pulls$/;
const pull = /\/pulls\/\d+$/;
const comments = /\/issues\/\d+\/comments$/;

interface Crash {
  when: string;
  at: CrashPoint;
  /** Whether the run goes on with the files of the dead process, or on another machine. */
  where: 'here' | 'elsewhere';
  /** Requests to the model that were in flight, and are asked again. */
  repeats?: number;
}

// Chaos kills a first run at every step; here the answer is under way when the process dies.
const crashes: Record<'first' | 'later', Crash[]> = {
  first: [
    { when: 'during a model request', at: atModelRequest(1), where: 'elsewhere', repeats: 1 },
    { when: 'at a push that arrives', at: atRequest('POST', push, 'done'), where: 'elsewhere' },
    { when: 'at a POST pulls that arrives', at: atRequest('POST', pulls, 'done'), where: 'here' },
  ],
  later: [
    { when: 'at a push that arrives', at: atRequest('POST', push, 'done'), where: 'here' },
    { when: 'at a PATCH pulls that never arrives', at: atRequest('PATCH', pull, 'never done'), where: 'here' },
    { when: 'at a PATCH pulls that arrives', at: atRequest('PATCH', pull, 'done'), where: 'elsewhere' },
    { when: 'at a POST comment that never arrives', at: atRequest('POST', comments, 'never done'), where: 'here' },
    { when: 'at a POST comment that arrives', at: atRequest('POST', comments, 'done'), where: 'elsewhere' },
    { when: 'after the comment was recorded', at: afterLastEffect(comments), where: 'here' },
  ],
};

const outcome = 'repeats no write when its process is killed';

describe.concurrent('promise 1: a first run', () => {
  const stage = useStage();

  test.each(crashes.first)(`${outcome} $when`, { concurrent: false }, async (crash) => {
    const { caller } = stage.service();
    const jobId = await stage.crash(crash, async () => (await caller.create('First')).id);
    await stage.expectOnGitHub(jobId, { commits: ['First'], comments: 0 });
  });
});

describe.concurrent('promise 1: a later run', () => {
  const stage = useStage();
  let jobId: string;
  let asked = ['First'];

  beforeAll(async () => {
    const { caller } = stage.service();
    jobId = (await caller.create('First')).id;
    await caller.settled(jobId);
  });

  // All of one job: each answers one more message with a commit and a comment.
  test.each(crashes.later)(`${outcome} $when`, { concurrent: false }, async (crash) => {
    const { caller } = stage.service();
    await stage.crash(crash, async () => (await caller.message(jobId, crash.when)).id);
    asked = [...asked, `Wrote: ${crash.when}`];
    await stage.expectOnGitHub(jobId, { commits: asked, comments: asked.length - 1 });
  });
});

// This one waits for the lease to run out by itself, and the next for GitHub's lists to catch up: the crashes fill the time.
test.concurrent('promise 10: another process continues a crashed run within 30 s', async () => {
  await using world = await createWorld({ script: followInstruction });
  const { requests } = world.model;
  await using first = await spawnOn(world, 'first');
  const held = await atModelRequest(1)(world);
  const { id } = await first.caller.create('First');
  await held.reached();
  await using _second = await spawnOn(world, 'second');
  const crashedAt = performance.now();
  await first.kill('SIGKILL');
  held.release();
  await eventually(() => requests.length === 3 || undefined, { withinMs: 40_000 });
  expect(performance.now() - crashedAt).toBeLessThan(30_000);
  expect(await settled(world, id)).toBe('completed');
  expect(countRepeats(requests)).toBe(1);
});

const adopted = ['POST', 'GET'];
const repeated = ['POST', 'GET', 'POST'];
/** A comment that was posted is looked for once more, in case there are two. */
const look = 'GET';

test.concurrent.each([
  { toPulls: 'before', toComments: 'after', pullRequests: repeated, comment: adopted },
  { toPulls: 'after', toComments: 'before', pullRequests: adopted, comment: [...repeated, look] },
  { toPulls: 'reset-before', toComments: 'reset-after', pullRequests: repeated, comment: adopted },
  { toPulls: 'reset-after', toComments: 'reset-before', pullRequests: adopted, comment: [...repeated, look] },
] as const)(
  'promise 11: POSTs that get no clear answer ($toPulls, $toComments) are read about, then adopted or repeated',
  async ({ toPulls, toComments, ...sent }) => {
    await using world = await createWorld({ script: followInstruction });
    const { github } = world;
    await using service = await startInWorld(world, {}, realTiming);
    const { caller } = service;
    github.inject({ method: 'POST', path: pulls, kind: toPulls });
    github.inject({ method: 'POST', path: comments, kind: toComments });
    const { id } = await caller.create('First');
    await settled(world, id);
    await caller.message(id, 'Second');
    expect(await settled(world, id)).toBe('completed');

    expect(listMethods(world, pulls)).toEqual(sent.pullRequests);
    expect(listMethods(world, comments)).toEqual(sent.comment);
    const commits = ['First', 'Wrote: Second'];
    expect(await readGitHub(world, id)).toEqual({ branches: 1, pullRequests: 1, commits, comments: 1 });
    expect(github.duplicates()).toEqual([]);
  },
);

/** What was sent there from the first POST on; several reads in a row count as one. The open pull requests are listed every ten minutes. */
function listMethods({ github }: World, wanted: RegExp): string[] {
  const all = github.requests
    .filter(({ path, query }) => wanted.test(path) && query.state !== 'open')
    .map(({ method }) => method);
  const sent = all.slice(all.indexOf('POST'));
  return sent.filter((method, index) => method === 'POST' || sent[index - 1] !== method);
}

const spawnOn = (world: World, machine: string) =>
  spawnService(world, { environment: { DATA_DIR: join(world.directory, machine) } });

/** A world with one service. Whoever takes a run over is the next one to crash: one start for each crash. */
function useStage() {
  let world: World;
  let service: SpawnedService;
  let machines = 1;

  beforeAll(async () => {
    world = await createWorld({ script: followInstruction });
    service = await spawnOn(world, `machine-${machines}`);
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });

  return {
    service: () => service,
    /** Starts a run, kills its process at the point, and has another process end it. */
    async crash({ at, where, repeats = 0 }: Crash, startRun: () => Promise<string>): Promise<string> {
      const { github, model } = world;
      const asked = model.requests.length;
      const sent = github.requests.length;
      const held = await at(world);
      const jobId = await startRun();
      await held.reached();
      await service.kill('SIGKILL');
      held.release();
      await expireLease(world.database.database, jobId);
      if (where === 'elsewhere') machines += 1;
      service = await spawnOn(world, `machine-${machines}`);
      expect(await settled(world, jobId)).toBe('completed');
      // Promise 11: a pull request or a comment that is there was not posted again, not even to be deleted.
      const posts = github.requests.slice(sent).filter(({ method, done }) => method === 'POST' && done);
      expect(posts.filter(({ path }) => pulls.test(path) || comments.test(path))).toHaveLength(1);
      // Promise 10: only what was in flight is paid again.
      const requests = model.requests.slice(asked);
      expect({ asked: requests.length, repeats: countRepeats(requests) }).toEqual({ asked: 2 + repeats, repeats });
      return jobId;
    },
    async expectOnGitHub(jobId: string, there: { commits: string[]; comments: number }): Promise<void> {
      expect(await readGitHub(world, jobId)).toEqual({ branches: 1, pullRequests: 1, ...there });
      expect(world.github.duplicates()).toEqual([]);
    },
  };
}

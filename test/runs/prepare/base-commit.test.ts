import { expect, test } from 'vitest';
import type { PushRules } from '../../../src/runs/checkout.ts';
import { findBase, prepareBase } from '../../../src/runs/prepare/base-commit.ts';
import { createWorld, type Entry } from '../../workspace/world.ts';

const branch = 'pagewright/x';
const free: PushRules = { isSigned: false, isLinear: false, forbid: {} };
const unbegun = { run_id: 'run_1', base_sha: null, merged_base_sha: null };
const writeRules = {};
const target = 'main';

/** A branch and a base that went apart, and what a run that begins finds there. */
async function createDivergence({ ours, theirs }: { ours: Record<string, Entry>; theirs: Record<string, Entry> }) {
  const world = await createWorld();
  const both = { 'a.md': 'one\n', 'b.md': 'b\n', 'package.json': '{}\n' };
  const start = world.addCommit(both);
  const tip = world.addCommit({ ...both, ...ours }, { branch, parent: start });
  const base = world.addCommit({ ...both, ...theirs }, { parent: start });
  const mirror = world.mirrorOf(base, tip);
  const inMirror = { git: world.git, mirror, writeRules, signal: world.signal };
  return {
    world,
    tip,
    base,
    inMirror,
    find: (pushRules: PushRules) => findBase(inMirror, { run: unbegun, target, pushRules }),
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
    },
  };
}

const changed = { 'a.md': 'ours\n' };
const other = { 'a.md': 'theirs\n' };
test.concurrent.each([
  { what: 'a base without conflicts', ours: changed, theirs: { 'b.md': 'B\n' }, isMerged: false, notice: undefined },
  {
    what: 'a base with conflicts',
    ours: changed,
    theirs: other,
    isMerged: true,
    notice: /main has moved.*It is merged into/s,
  },
  {
    what: 'signed commits',
    ours: changed,
    theirs: other,
    pushRules: { ...free, isSigned: true },
    isMerged: false,
    notice: /because the repository requires signed commits/,
  },
  {
    what: 'no merge commits',
    ours: changed,
    theirs: other,
    pushRules: { ...free, isLinear: true },
    isMerged: false,
    notice: /because a rule .* no merge commits/,
  },
  {
    what: 'workflows on the base',
    ours: changed,
    theirs: { ...other, '.github/workflows/ci.yml': 'on: push\n' },
    isMerged: false,
    notice: /because the base changed workflows/,
  },
  {
    what: 'a conflict in a protected file',
    ours: { 'package.json': '{ }\n' },
    theirs: { 'package.json': '[]\n' },
    isMerged: false,
    notice: /only a person may change package\.json/,
  },
])(
  'a run that begins follows the branch, with the base merged in where it must and can be: $what',
  async ({ ours, theirs, pushRules = free, isMerged, notice }) => {
    await using apart = await createDivergence({ ours, theirs });
    const found = await apart.find(pushRules);
    expect(found).toMatchObject({ base_sha: apart.tip, ...(isMerged && { merged_base_sha: apart.base }) });
    if (!isMerged) expect(found).not.toHaveProperty('merged_base_sha');
    if (notice) expect(found?.notice).toMatch(notice);
    else expect(found).not.toHaveProperty('notice');
  },
);

test.concurrent('a run that has begun keeps its base when branches move', async () => {
  await using apart = await createDivergence({ ours: changed, theirs: other });
  const run = { ...unbegun, base_sha: apart.base };
  expect(await findBase(apart.inMirror, { run, target, pushRules: free })).toBeUndefined();
});

test.concurrent('promise 10: the base of a merge run is the same commit in every attempt', async () => {
  await using apart = await createDivergence({ ours: changed, theirs: other });
  const run = { ...unbegun, base_sha: apart.tip, merged_base_sha: apart.base };
  const first = await prepareBase(apart.inMirror, run);
  apart.world.addCommit({ 'a.md': 'later\n' }, { parent: apart.base });
  await using elsewhere = await apart.world.fetch({ branch, repositoryId: 8 });
  expect(await prepareBase({ ...apart.inMirror, mirror: elsewhere }, run)).toEqual(first);
  expect(first.conflicts.map(({ path }) => path)).toEqual(['a.md']);
});

test.concurrent('a merge run ends with a sentence when a force-push removed its base commit', async () => {
  await using apart = await createDivergence({ ours: changed, theirs: other });
  const run = { ...unbegun, base_sha: apart.tip, merged_base_sha: apart.base };
  apart.world.addCommit({ 'a.md': 'rewritten\n' });
  await using elsewhere = await apart.world.fetch({ branch, repositoryId: 8 });
  await expect(prepareBase({ ...apart.inMirror, mirror: elsewhere }, run)).rejects.toMatchObject({
    reason: 'base_rewritten',
  });
});

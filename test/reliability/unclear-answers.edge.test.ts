import { expect, test } from 'vitest';
import { startInWorld } from '../../harness/start-service.ts';
import { realTiming } from '../../src/timing.ts';
import { createWorld, type World } from '../support/worlds/world.ts';
import { settled } from './crash-points.ts';
import { readGitHub } from './github-state.ts';
import { followInstruction } from './instructed-model.ts';

const pulls = /\/pulls$/;
const comments = /\/issues\/\d+\/comments$/;

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

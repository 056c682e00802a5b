import { expect, test } from 'vitest';
import { eventually } from '../../harness/eventually.ts';
import { startInWorld } from '../../harness/start-service.ts';
import { lookAt } from '../support/worlds/scenario.ts';
import { createWorld } from '../support/worlds/world.ts';
import { listWrites } from './github-state.ts';
import { followInstruction } from './instructed-model.ts';

const comments = /\/issues\/\d+\/comments$/;

test.each(['hold-before', 'hold-after'] as const)(
  'promise 16: a service that stops while its comment is under way (%s) finishes publishing, and leaves one',
  async (kind) => {
    await using world = await createWorld({ script: followInstruction });
    const { github } = world;
    await using cleanup = new AsyncDisposableStack();
    const first = cleanup.use(await startInWorld(world));
    const { id } = await first.caller.create('First');
    await first.caller.settled(id);
    const posting = github.inject({ method: 'POST', path: comments, kind });
    await first.caller.message(id, 'Second');
    await eventually(() => posting.hits() || undefined);

    const stopped = cleanup.disposeAsync();
    await using second = await startInWorld(world);
    // By the time the next service has done another job, the first one was told long ago.
    const other = await second.caller.create('Other');
    await second.caller.settled(other.id);
    expect(await second.caller.get(id)).toMatchObject({ status: 'active' });
    posting.release();
    await stopped;

    expect(await second.caller.get(id)).toMatchObject({ status: 'completed' });
    expect(first.lines.filter((line) => line.includes('a run was interrupted'))).toEqual([]);
    expect(second.lines.filter((line) => line.includes('a run starts') && line.includes(id))).toEqual([]);
    expect(listWrites(world).filter((write) => comments.test(write))).toHaveLength(1);
    expect(await lookAt(world).comments(1)).toHaveLength(1);
  },
);

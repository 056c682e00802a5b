import { expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { call, edit, finish } from '../../../harness/script-steps.ts';
import { startInWorld } from '../../../harness/start-service.ts';
import type { Script } from '../../../local/model/script.ts';
import { lookAt, readRuns } from '../../support/worlds/scenario.ts';
import { createWorld } from '../../support/worlds/world.ts';

const pages = Array.from({ length: 12 }, (_, index) => `guides/${index}.md`);
const files = Object.fromEntries(pages.map((path) => [path, `# ${path}\n\n${'Read this line.\n'.repeat(400)}`]));
const small = { OPENAI_CONTEXT_TOKENS: '16000' };
const removed = 'removed to make room';

test('promise 10: a takeover right after a compaction sends the same input, and the run ends well', async () => {
  const stopping = Promise.withResolvers<void>();
  let isStopped = false;
  const script: Script = async ({ turn }) => {
    if (!isStopped && JSON.stringify(world.model.requests.at(-1)?.body).includes(removed)) {
      await stopping.promise;
      return { fault: { kind: 'hang_up' } };
    }
    const path = pages[turn];
    if (path !== undefined) return call('read_file', { path });
    return turn === pages.length
      ? edit('guides/0.md', '# guides/0.md', '# Start')
      : finish('Read all.', { title: 'Read' });
  };
  await using world = await createWorld({ script, files });
  const bodies = () => world.model.requests.map(({ body }) => JSON.stringify(body));

  const first = await startInWorld(world, small);
  const { id } = await first.caller.create('Read all guides.');
  const sent = await eventually(() => bodies().find((body) => body.includes(removed)));
  const stopped = first[Symbol.asyncDispose]();
  stopping.resolve();
  await stopped;
  isStopped = true;
  expect(first.lines.filter((line) => line.includes('compacted the conversation'))).toHaveLength(1);
  const before = bodies().length;

  await using second = await startInWorld(world, small);
  const job = await second.caller.settled(id);
  expect(job.status).toBe('completed');
  expect(bodies()[before] === sent).toBe(true);
  expect(await lookAt(world).file(job.source.ref, 'guides/0.md')).toMatch(/^# Start\n/);

  // The results as they were remain, for people.
  const [run] = (await readRuns(second.caller, id)).runs;
  const turns = await world.database.database
    .selectFrom('turns')
    .selectAll()
    .where('run_id', '=', run?.id ?? '')
    .execute();
  const compacted = turns.filter(({ original }) => original !== null);
  expect(compacted.length).toBeGreaterThan(0);
  for (const { original, results, compacted_for: compactedFor } of compacted) {
    expect(JSON.stringify(results)).toContain(removed);
    expect(JSON.stringify(original)).toContain('Read this line.');
    expect(compactedFor).toBeGreaterThan(0);
  }
});

test('a run of 150 turns ends well in a window of 30,000 tokens', async () => {
  const script: Script = ({ turn }) => {
    if (turn < 148) return call('read_file', { path: pages[turn % pages.length] });
    return turn === 148 ? edit('guides/0.md', '# guides/0.md', '# Start') : finish('Read all.', { title: 'Read' });
  };
  await using world = await createWorld({ script, files, contextTokens: 30_000 });
  const limits = { RUN_MAX_TURNS: '400', RUN_MAX_TOKENS: '100000000' };
  await using service = await startInWorld(world, { ...limits, OPENAI_CONTEXT_TOKENS: '30000' });
  const { id } = await service.caller.create('Read all guides, again and again.');
  const job = await eventually(
    async () => {
      const found = await service.caller.get(id);
      return found.status === 'active' ? undefined : found;
    },
    { withinMs: 240_000, everyMs: 500 },
  );
  expect(job.status).toBe('completed');
  const [run] = (await readRuns(service.caller, id)).runs;
  expect(run).toMatchObject({ code: 'published', turns: 150 });
  expect(service.lines.filter((line) => line.includes('compacted the conversation')).length).toBeGreaterThan(5);
  expect(world.model.requests.filter(({ turn }) => turn === null)).toEqual([]);
  expect(JSON.stringify(world.model.requests.at(-1)?.body)).toContain('Read all guides, again and again.');
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { spawnService } from '../../../harness/processes/spawn-service.ts';
import { call, edit, finish, hold, write } from '../../../harness/script-steps.ts';
import { shortTiming } from '../../../harness/short-timing.ts';
import { startInWorld } from '../../../harness/start-service.ts';
import { steps } from '../../../local/model/script.ts';
import { expireLease, settled } from '../../reliability/crash-points.ts';
import { collectObjections, docsSite, writePage } from '../../support/worlds/docs-site.ts';
import { lookAt, readRuns } from '../../support/worlds/scenario.ts';
import { openWorkshop, type Workshop } from '../../support/worlds/workshop.ts';
import { createWorld } from '../../support/worlds/world.ts';

const done = finish('Done.', { title: 'Change the pages', description: 'Changes them.' });
const breakLink = edit('index.mdx', '(/limits)', '(/limit)');
const leftLink = /^- `index\.mdx:5` \*\*must be fixed\*\*: .*\/limit\b/m;
const leftPage = /^- `lonely\.mdx:1` (?!\*\*).*docs\.json/m;

let shop: Workshop;

beforeAll(async () => {
  shop = await openWorkshop({ files: { ...docsSite, 'limits.mdx': writePage('Limits', 'See [old](/gone).') } });
});

afterAll(() => shop[Symbol.asyncDispose]());

test('promise 31: after two objections the change is published, and the pull request says what is left', async () => {
  const { objections, afterLooking } = collectObjections();
  const lonely = write('lonely.mdx', writePage('Lonely', 'Nobody finds me.'));
  const job = await shop.create('Break a link.', [
    steps([breakLink, lonely, done, afterLooking(done), afterLooking(done)]),
  ]);
  await job.settled();
  expect(objections).toHaveLength(2);
  expect(objections[0]).toMatch(/\nindex\.mdx:5: [\s\S]*\nlonely\.mdx:1: /);
  // Advice is given once.
  expect(objections[1]).toContain('\nindex.mdx:5: ');
  expect(objections[1]).not.toContain('lonely.mdx');
  const { body } = await shop.github.pullRequest(await job.number());
  expect(body).toContain('## Checks\n\nChecked: 2 links, 2 pages parsed, navigation. 2 new problems are left:\n');
  expect(body).toMatch(leftLink);
  expect(body).toMatch(leftPage);
  const [run] = await job.runs();
  expect(run).toMatchObject({
    code: 'published',
    checks: {
      ran: true,
      problems: [
        { file: 'index.mdx', severity: 'must' },
        { file: 'lonely.mdx', severity: 'should' },
      ],
    },
  });
});

test('promise 31: what was broken before is not the change’s fault, and the agent may ask at any time', async () => {
  const { objections, afterLooking } = collectObjections();
  const checked: string[] = [];
  const job = await shop.create('Leave the old link.', [
    steps([
      edit('limits.mdx', 'See', 'Look at'),
      call('check', {}),
      ({ lastResults }) => {
        checked.push(...lastResults.map(({ output }) => output));
        return done;
      },
      afterLooking(done),
    ]),
  ]);
  await job.settled();
  expect(checked).toEqual(['checked links: 2, changed pages: 1, navigation\nyour changes broke nothing']);
  expect(objections).toEqual([]);
  const { body } = await shop.github.pullRequest(await job.number());
  expect(body).toContain('Checked: 2 links, 1 page parsed, navigation. No new problems.');
});

test('promise 31: a later run hears of an earlier run’s fault, and its comment says what is left', async () => {
  const { objections, afterLooking } = collectObjections();
  const job = await shop.create('Break it first.', [
    steps([breakLink, done, done, done]),
    steps([edit('limits.mdx', 'See', 'Look at'), done, afterLooking(done), done]),
    steps([edit('index.mdx', '(/limit)', '(/limits)'), done]),
  ]);
  await job.settled();
  const number = await job.number();
  await job.message('Another page, please.');
  await job.untilRuns(2);
  expect(objections).toEqual([expect.stringContaining('\nindex.mdx:5: ')]);
  const [comment] = await shop.github.comments(number);
  expect(comment?.body).toMatch(leftLink);
  await job.message('Mend it.');
  await job.untilRuns(3);
  expect((await shop.github.pullRequest(number)).body).toContain('No new problems.');
  expect((await shop.github.comments(number))[1]?.body).not.toContain('Checked:');
});

test('promise 31: checks that take too long fail no run, and the pull request says that they did not run', async () => {
  await using world = await createWorld({ files: docsSite, script: steps([breakLink, done]) });
  const threads = { ...shortTiming.threads, sessionRequestMs: 0 };
  await using service = await startInWorld(world, {}, { ...shortTiming, threads });
  const { id } = await service.caller.create('Break it.');
  expect(await service.caller.settled(id)).toMatchObject({ status: 'completed' });
  expect((await lookAt(world).pullRequest(1)).body).toContain('## Checks\n\nThe checks did not run, so links');
  expect(await service.caller.runs(id)).toMatchObject({ runs: [{ checks: { ran: false, problems: [] } }] });
  expect(service.lines.join('')).toContain('could not read the documentation');
});

test('promise 31: a takeover between objection and finish counts what was objected before', async () => {
  const { objections, afterLooking } = collectObjections();
  const held = hold(done);
  await using world = await createWorld({
    files: docsSite,
    script: steps([
      breakLink,
      done,
      (request) => {
        afterLooking(done)(request);
        return held.step(request);
      },
      afterLooking(done),
    ]),
  });
  await using first = await spawnService(world);
  const { id } = await first.caller.create('Break it.');
  await held.asked;
  await first.kill('SIGKILL');
  held.release();
  await expireLease(world.database.database, id);
  await using second = await spawnService(world);
  expect(await settled(world, id)).toBe('completed');
  // The dead worker's request was repeated, with the same objection.
  expect(new Set(objections).size).toBe(1);
  expect(objections).toHaveLength(3);
  const { runs } = await readRuns(second.caller, id);
  expect(runs).toMatchObject([{ turns: 4, checks: { problems: [{ file: 'index.mdx' }] } }]);
  expect((await lookAt(world).pullRequest(1)).body).toMatch(leftLink);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listProblems } from '../../eval/checks/docs.ts';
import { changesNothing } from '../../eval/checks/files.ts';
import type { Outcome } from '../../eval/checks/outcome.ts';
import { listSites, readSite } from '../../eval/read-site.ts';
import { allTasks } from '../../eval/tasks/all-tasks.ts';
import type { Task } from '../../eval/tasks/task.ts';
import { createWorld } from '../workspace/world.ts';
import { playCalls, prepareStage, type Stage } from './play-calls.ts';
import { allScripts as scripts } from './scripts/all-scripts.ts';

const judge = ({ checks }: Task, outcome: Outcome) => checks.flatMap((check) => check(outcome));

let world: Awaited<ReturnType<typeof createWorld>>;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

test('each task has a script of its own, and each site a task', async () => {
  expect(Object.keys(scripts).toSorted()).toEqual(allTasks.map(({ name }) => name).toSorted());
  const sites = new Set(allTasks.flatMap(({ site, follows }) => (follows ? [site, follows.code] : [site])));
  expect([...sites].toSorted()).toEqual((await listSites()).toSorted());
});

test('of the tasks that follow the code, half have nothing to document', () => {
  const following = allTasks.filter(({ follows }) => follows !== undefined);
  const silent = following.filter(({ checks }) => checks.includes(changesNothing));
  expect([following.length, silent.length]).toEqual([20, 10]);
});

test.each([...new Set(allTasks.map(({ site }) => site))])('the site %s has no problem', async (name) => {
  expect(listProblems(new Map(), await readSite(name))).toEqual([]);
});

describe.each(allTasks)('$name', (task) => {
  const { right = [], wrong = [] } = scripts[task.name] ?? {};
  let stage: Stage;
  beforeAll(async () => {
    stage = await prepareStage(world, task);
  });

  test('the check takes what is right', async () => {
    const { outcome, failures } = await playCalls(stage, right);
    expect({ failures, reasons: judge(task, outcome) }).toEqual({ failures: [], reasons: [] });
  });

  test.each(wrong)('the check says what is wrong: $reason', async ({ reason, runs }) => {
    const { outcome, failures } = await playCalls(stage, runs);
    expect(failures).toEqual([]);
    expect(judge(task, outcome).join('\n')).toMatch(reason);
  });

  // Who shows no token at all is right, too.
  test.skipIf(task.name === 'markdown/secret')(
    'the check refuses a run that leaves out one of the right changes',
    async () => {
      const changes = right.flatMap((calls, run) =>
        calls.flatMap(([name], call) => (name === 'finish' ? [] : [{ run, call }])),
      );
      const passed: unknown[] = [];
      for (const left of changes) {
        const runs = right.map((calls, run) => calls.filter((_, call) => run !== left.run || call !== left.call));
        const { outcome } = await playCalls(stage, runs);
        if (judge(task, outcome).length === 0) passed.push(right[left.run]?.[left.call]);
      }
      expect(passed).toEqual([]);
    },
  );

  test('the check refuses a run that loses a sentence of a page that it edits', async () => {
    const { outcome } = await playCalls(stage, right);
    const { before, after } = outcome;
    const passed = [...after].flatMap(([path, text]) => {
      const was = new Set(before.get(path)?.split('\n'));
      const sentence = text.split('\n').find((line) => was.has(line) && /^[A-Z]\w+ \w+ \w+ \w+ \w+/.test(line));
      if (before.get(path) === text || sentence === undefined) return [];
      const others = new Map(after).set(path, text.replace(sentence, ''));
      const isTwice = [...others.values()].some((other) => other.includes(sentence));
      return isTwice || judge(task, { ...outcome, after: others }).length > 0 ? [] : [`${path}: ${sentence}`];
    });
    expect(passed).toEqual([]);
  });

  test('the check refuses a run that changes nothing and says nothing', () => {
    const { site, before } = stage;
    expect(judge(task, { site, before, after: before, pullRequest: undefined, ends: [] })).not.toEqual([]);
  });
});

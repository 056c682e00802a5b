import { randomUUID } from 'node:crypto';
import type { Files, Outcome, RunEnd } from '../../eval/checks/outcome.ts';
import { readTaskFiles } from '../../eval/read-site.ts';
import type { Task } from '../../eval/tasks/task.ts';
import { type Finish, finishTool, parseFinish } from '../../src/agent/finish.ts';
import { runInline } from '../../src/threads/threads.ts';
import { createTools } from '../../src/tools/create-tools.ts';
import { createInlineDocs } from '../tools/inline-docs.ts';
import type { createWorld } from '../workspace/world.ts';
import type { Call } from './scripts/script.ts';

type World = Awaited<ReturnType<typeof createWorld>>;
export type Stage = Awaited<ReturnType<typeof prepareStage>>;

/** What the agent of a task finds, in a repository. All scripts of the task play on it. */
export async function prepareStage(world: World, task: Task) {
  const files = await readTaskFiles(task);
  return { ...files, world, mirror: world.mirrorOf(world.addCommit(Object.fromEntries(files.before))) };
}

/**
 * Carries out the calls of a scripted model on a real workspace, one list per run, and returns what became of the task. A later run goes on
 * in the same workspace. `failures`: what the tools refused.
 */
export async function playCalls(
  { world, mirror, site, before }: Stage,
  runs: readonly (readonly Call[])[],
): Promise<{ outcome: Outcome; failures: string[] }> {
  const runId = `run_${randomUUID()}`;
  await using workspace = await world.workspaces.open({
    runId,
    mirror,
    sha: mirror.baseSha,
    writes: new Map(),
    signal: world.signal,
  });
  const tools = [
    ...createTools({ workspace, runTask: runInline, docs: createInlineDocs(Object.fromEntries(before)) }),
    finishTool,
  ];
  const failures: string[] = [];
  const finishes: Finish[] = [];
  for (const [name, args] of runs.flat()) {
    const tool = tools.find((candidate) => candidate.name === name);
    const result = await tool?.call(JSON.stringify(args), world.signal);
    if (!result || result.isError) failures.push(`${name}: ${result?.output ?? 'there is no such tool'}`);
    if (name === finishTool.name) finishes.push(parseFinish(JSON.stringify(args)));
  }
  const after = apply(before, workspace.writes());
  return { outcome: { site, before, after, ...describe(finishes, workspace.writes().size > 0) }, failures };
}

function apply(before: Files, writes: ReadonlyMap<string, Uint8Array | null>): Files {
  const files = new Map(before);
  for (const [path, bytes] of writes) {
    if (bytes === null) files.delete(path);
    else files.set(path, Buffer.from(bytes).toString());
  }
  return files;
}

function describe(finishes: readonly Finish[], isChanged: boolean): Pick<Outcome, 'pullRequest' | 'ends'> {
  const title = finishes.findLast((finish) => finish.title !== undefined)?.title ?? '';
  const body = finishes.findLast(({ description }) => description !== undefined)?.description ?? '';
  const ends = finishes.map(
    ({ summary, replies = [], evidence = [] }): RunEnd => ({
      code: isChanged ? 'published' : 'unchanged',
      answer: summary,
      replies: replies.map(({ text }) => text),
      evidence,
    }),
  );
  return { pullRequest: isChanged ? { title, body } : undefined, ends };
}

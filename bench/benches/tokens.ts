import type { Evaluation } from '../../eval/command.ts';
import type { Result } from '../../eval/result.ts';
import { openStage } from '../../eval/runner/open-stage.ts';
import { playAll } from '../../eval/runner/play-all.ts';
import { allTasks } from '../../eval/tasks/all-tasks.ts';
import { perRun } from '../../harness/script-steps.ts';
import { type Script, steps } from '../../local/model/script.ts';
import { startModelServer } from '../../local/model/start-model-server.ts';
import { allScripts } from '../../test/eval/scripts/all-scripts.ts';
import { fillIn } from '../../test/eval/scripts/fill-in.ts';
import type { Call } from '../../test/eval/scripts/script.ts';
import { type Figure, median } from '../figures/figure.ts';

/** By the last part of a task's name; the others edit existing text. */
const kinds: readonly [kind: string, pattern: RegExp][] = [
  ['an instruction and a follow-up or review', /^(review|follow-up)$/],
  ['move, rename, split, merge or delete', /^(move|rename|split|merge|delete)-/],
  ['add a page, translate', /^(add-page|translate|changelog)$/],
  ['repair', /^(fix-|redirect-)/],
  ['answer, or say why not', /^(question|impossible|needs-shell|protected-file|secret|injected-page|hidden-comment)$/],
];
const following = new Set(allTasks.filter(({ follows }) => follows).map(({ name }) => name));
const other = 'edit pages and navigation';

/**
 * Tokens of the evaluation's tasks, played by a script: it reads the files that it will edit, makes all edits, and finishes. A token is
 * counted as four characters of each request. Real models read and try more.
 */
export async function benchTokens(): Promise<Figure[]> {
  const scripts = allTasks.flatMap((task) => {
    const script = allScripts[task.name];
    const asked = task.follows?.merged.map(({ title }) => `: ${title}, by `) ?? task.messages.slice(0, 1).map(String);
    return script ? [{ asked, script: perRun(script.right.map(play)) }] : [];
  });
  const script: Script = (request) => {
    const text = request.messages.map((message) => message.text).join('\n');
    // Some of what one task merges is all that another one does.
    const [found] = scripts
      .filter(({ asked }) => asked.every((part) => text.includes(part)))
      .toSorted((a, b) => b.asked.length - a.asked.length);
    return found ? found.script(request) : { fault: { kind: 'status', status: 400 } };
  };
  await using server = await startModelServer({ script });
  const evaluation: Evaluation = {
    kind: 'evaluate',
    tasks: allTasks,
    repeat: 1,
    concurrency: 4,
    minutes: 15,
    isJson: false,
    environment: { OPENAI_BASE_URL: server.url, OPENAI_MODEL: 'script', OPENAI_API_KEY: 'none' },
  };
  const { signal } = new AbortController();
  await using stage = await openStage({ ...evaluation, signal });
  const results = await playAll(stage, { evaluation, prices: {}, onResult: () => {}, signal });
  const findKind = (task: string) => kinds.find(([, pattern]) => pattern.test(task.split('/')[1] ?? ''))?.[0] ?? other;
  const byKind = Map.groupBy(results, ({ task }) => (following.has(task) ? 'follow the code' : findKind(task)));
  return [...byKind]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .concat([['all', results]])
    .map(([kind, group]) => describe(kind, group));
}

function describe(kind: string, results: readonly Result[]): Figure {
  const figure = (read: (result: Result) => number) => Math.round(median(results.map(read))).toLocaleString('en-US');
  const wrong = results.filter(({ right }) => !right).map(({ task }) => task);
  return {
    what: `${kind} (${results.length} tasks)`,
    measured: `${figure(({ turns }) => turns)} turns, ${figure(({ tokensIn }) => tokensIn)} tokens in, of them ${figure(({ lastInput }) => lastInput)} in the last request, ${figure(({ tokensOut }) => tokensOut)} out (medians)${wrong.length > 0 ? `; not right: ${wrong.join(', ')}` : ''}`,
  };
}

function play(calls: readonly Call[]): Script {
  const paths = new Set(calls.flatMap(([name, args]) => (name === 'edit_file' && 'path' in args ? [args.path] : [])));
  const reads: Call[] = [...paths].map((path) => ['read_file', { path }]);
  const turns = [reads, calls.slice(0, -1), calls.slice(-1)].filter((turn) => turn.length > 0);
  return (request) =>
    steps(turns.map((turn) => ({ calls: turn.map(([name, args]) => ({ name, arguments: fillIn(args, request) })) })))(
      request,
    );
}

import { Command, InvalidArgumentError } from 'commander';
import { allTasks } from './tasks/all-tasks.ts';
import type { Task } from './tasks/task.ts';

export interface Evaluation {
  kind: 'evaluate';
  tasks: readonly Task[];
  repeat: number;
  concurrency: number;
  minutes: number;
  isJson: boolean;
  /** The environment with the options in it. */
  environment: NodeJS.ProcessEnv;
}

export type EvalCommand = Evaluation | { kind: 'list'; isJson: boolean };

interface Options {
  model?: string;
  modelServer?: string;
  tasks?: readonly Task[];
  repeat: number;
  concurrency: number;
  minutes: number;
  json: boolean;
  list: boolean;
}

/** `pagewright eval`: parses the arguments and passes them to `run`. */
export function createEvalCommand(
  environment: NodeJS.ProcessEnv,
  run: (command: EvalCommand) => Promise<void>,
): Command {
  return new Command('pagewright eval')
    .description(
      `Lets a model do documentation tasks on small sites, by the whole service with a stand-in for GitHub, and checks the results.
OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL, OPENAI_API and the other OPENAI_* and RUN_MAX_* variables have
their meaning for the service.`,
    )
    .option('--model <name>', 'the model, in place of OPENAI_MODEL')
    .option('--model-server <url>', 'the server, in place of OPENAI_BASE_URL')
    .option('--tasks <names>', 'tasks, or sites, separated by commas (default: all)', selectTasks)
    .option('--repeat <n>', 'how often each task is done', readCount, 1)
    .option('--concurrency <n>', 'how many tasks are done at once', readCount, 4)
    .option('--minutes <n>', 'the longest time for one task', readCount, 15)
    .option('--json', 'print one JSON object a line for each task, and one for their sum', false)
    .option('--list', 'print the names of the tasks, and ask no model', false)
    .addHelpText(
      'after',
      `
OPENAI_PRICES, such as {"gpt-5": {"in": 1.25, "cachedIn": 0.125, "out": 10}}, adds what a task cost: prices per million tokens.

Exit code: 0 if all are right, 1 if some are not, 2 if the command fails.

Examples:
  pagewright eval --model gpt-5
  pagewright eval --tasks mkdocs,gitbook/changelog --repeat 3 --json`,
    )
    .action(({ model, modelServer: server, json: isJson, list, tasks = allTasks, ...counts }: Options) => {
      if (list) return run({ kind: 'list', isJson });
      return run({
        kind: 'evaluate',
        tasks,
        ...counts,
        isJson,
        environment: {
          ...environment,
          ...(model !== undefined && { OPENAI_MODEL: model }),
          ...(server !== undefined && { OPENAI_BASE_URL: server }),
        },
      });
    });
}

function selectTasks(names: string): readonly Task[] {
  const wanted = names.split(',').map((name) => name.trim());
  const unknown = wanted.filter((name) => !allTasks.some((task) => task.name === name || task.site === name));
  if (unknown.length > 0)
    throw new InvalidArgumentError(`there is no task ${unknown.join(', ')}; --list prints their names`);
  return allTasks.filter((task) => wanted.includes(task.name) || wanted.includes(task.site));
}

function readCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > 1_000)
    throw new InvalidArgumentError('takes a whole number from 1 to 1000');
  return count;
}

import { parseArgs } from 'node:util';
import { z } from 'zod';
import { allTasks } from './tasks/all-tasks.ts';
import type { Task } from './tasks/task.ts';

export const usage = `Usage: pagewright eval [--model NAME] [--model-server URL] [--tasks a,b] [--repeat N] [--concurrency N]
                       [--minutes N] [--json] [--list]

Lets a model do documentation tasks on small sites, by the whole service with a GitHub of its own, and checks what became
of them. OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL, OPENAI_API and the other OPENAI_* and RUN_MAX_* variables mean what
they mean to the service.

--model         the model, in place of OPENAI_MODEL
--model-server  the server, in place of OPENAI_BASE_URL
--tasks         names of tasks, or of sites: mkdocs,gitbook/changelog
--repeat        how often each task is done. Default: 1
--concurrency   how many tasks are done at once. Default: 4
--minutes       the longest time for one task. Default: 15
--json          one JSON object a line for each task, and one for their sum
--list          prints the names of the tasks

OPENAI_PRICES, such as {"gpt-5": {"in": 1.25, "cachedIn": 0.125, "out": 10}}, adds what a task cost: prices per million tokens.

Exit code: 0 if all are right, 1 if some are not, 2 if the command cannot be carried out.
`;

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

/** The command cannot be carried out. The message says why, for people. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const options = {
  model: { type: 'string' },
  'model-server': { type: 'string' },
  tasks: { type: 'string' },
  repeat: { type: 'string', default: '1' },
  concurrency: { type: 'string', default: '4' },
  minutes: { type: 'string', default: '15' },
  json: { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** Throws `UsageError`. */
export function parseEvalCommand(
  args: string[],
  environment: NodeJS.ProcessEnv,
): Evaluation | { kind: 'help' | 'list' } {
  const values = parse(args);
  if (values.help) return { kind: 'help' };
  if (values.list) return { kind: 'list' };
  const { model, 'model-server': server } = values;
  return {
    kind: 'evaluate',
    tasks: selectTasks(values.tasks),
    repeat: readCount('repeat', values.repeat),
    concurrency: readCount('concurrency', values.concurrency),
    minutes: readCount('minutes', values.minutes),
    isJson: values.json,
    environment: {
      ...environment,
      ...(model !== undefined && { OPENAI_MODEL: model }),
      ...(server !== undefined && { OPENAI_BASE_URL: server }),
    },
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function selectTasks(names: string | undefined): readonly Task[] {
  if (names === undefined) return allTasks;
  const wanted = names.split(',').map((name) => name.trim());
  const unknown = wanted.filter((name) => !allTasks.some((task) => task.name === name || task.site === name));
  if (unknown.length > 0) throw new UsageError(`there is no task ${unknown.join(', ')}; --list prints their names`);
  return allTasks.filter((task) => wanted.includes(task.name) || wanted.includes(task.site));
}

function readCount(name: string, text: string): number {
  const { data } = z.coerce.number().int().min(1).max(1_000).safeParse(text);
  if (data === undefined) throw new UsageError(`--${name} takes a whole number from 1 to 1000`);
  return data;
}

import { parseArgs } from 'node:util';
import { maxPromptLength } from '../../jobs/add-message.ts';
import { isBranchName } from '../../repository/is-branch-name.ts';
import { parseRepository } from '../parse-repository.ts';
import { UsageError } from '../usage-error.ts';

export const usage = `Usage: npm run -s jobs -- COMMAND

  create OWNER/REPO PROMPT [--ref BRANCH] [--model NAME] [--draft]   create a job and follow it
  message OWNER/REPO JOB_ID PROMPT                                   send a follow-up and follow the job
  watch OWNER/REPO JOB_ID                                            show what happened, and follow the job
  cancel OWNER/REPO JOB_ID                                           stop the run of a job

--as NAME   who asks: the author of the message; default: your name on this machine
--detach    do not follow the job: print its id
--json      print each event as a line of JSON

PROMPT may be -, which reads it from standard input. Following ends when the job is no longer active: with status 0 if it
is completed, else 1. Ctrl-C ends the following, not the job.

The command reads the same environment, .env and registered App as the service, which must be running to do the work.
`;

interface Target {
  owner: string;
  repo: string;
}
interface Output {
  isJson: boolean;
  isDetached: boolean;
}

export type JobsCommand =
  | { kind: 'help' }
  | (Target &
      Output & {
        kind: 'create';
        prompt: string;
        author: string;
        ref: string | null;
        model: string | null;
        draft: boolean | null;
      })
  | (Target & Output & { kind: 'message'; jobId: string; prompt: string; author: string })
  | (Target & Output & { kind: 'watch'; jobId: string })
  | (Target & Output & { kind: 'cancel'; jobId: string });

const options = {
  ref: { type: 'string' },
  model: { type: 'string' },
  draft: { type: 'boolean' },
  as: { type: 'string' },
  detach: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** What each command takes after its repository, and the options of its own. */
const forms = {
  create: { takes: ['PROMPT'], own: ['ref', 'model', 'draft', 'as', 'detach'] },
  message: { takes: ['JOB_ID', 'PROMPT'], own: ['as', 'detach'] },
  watch: { takes: ['JOB_ID'], own: [] },
  cancel: { takes: ['JOB_ID'], own: [] },
} as const satisfies Record<string, { takes: readonly string[]; own: readonly (keyof typeof options)[] }>;

const isCommand = (name: string | undefined): name is keyof typeof forms =>
  name !== undefined && Object.hasOwn(forms, name);

/** Reads the arguments of `npm run jobs --`. Throws `UsageError`. */
export async function parseJobsCommand(
  args: string[],
  { userName, readStdin }: { userName: string; readStdin: () => Promise<string> },
): Promise<JobsCommand> {
  const { values, positionals } = parse(args);
  const [kind, repository, ...rest] = positionals;
  if (values.help || kind === 'help') return { kind: 'help' };
  if (!isCommand(kind)) throw new UsageError(kind === undefined ? 'missing command' : `unknown command ${kind}`);
  const { takes, own } = forms[kind];
  const { owner, repo } = parseRepository(repository);
  if (rest.length !== takes.length) throw new UsageError(`${kind} takes OWNER/REPO ${takes.join(' ')}`);
  const foreign = (['ref', 'model', 'draft', 'as', 'detach'] as const).find(
    (name) => values[name] !== undefined && values[name] !== false && !own.some((mine) => mine === name),
  );
  if (foreign !== undefined) throw new UsageError(`${kind} takes no --${foreign}`);
  const [first = '', second = ''] = rest;
  const output = { owner, repo, isJson: values.json, isDetached: values.detach };
  if (kind === 'watch' || kind === 'cancel') return { kind, ...output, jobId: parseJobId(first) };
  const author = parseAuthor(values.as ?? userName);
  const readPrompt = async (text: string) => parsePrompt(text === '-' ? await readStdin() : text);
  if (kind === 'message')
    return { kind, ...output, author, jobId: parseJobId(first), prompt: await readPrompt(second) };
  const { ref = null, model = null, draft = null } = values;
  if (ref !== null && !isBranchName(ref)) throw new UsageError('--ref must be a valid branch name');
  return { kind, ...output, author, prompt: await readPrompt(first), ref, model, draft };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'invalid options', { cause: error });
  }
}

function parseJobId(text: string): string {
  if (!/^job_[0-9a-z]{26}$/.test(text))
    throw new UsageError(`${text || 'nothing'} is no job id, such as job_01jd2x8e4v…`);
  return text;
}

function parseAuthor(text: string): string {
  const name = text.trim();
  if (!/^\P{C}{1,100}$/u.test(name)) throw new UsageError('--as must have 1 to 100 printable characters');
  return name;
}

function parsePrompt(text: string): string {
  const prompt = text.trim();
  const { length } = [...prompt];
  if (length < 1 || length > maxPromptLength || !prompt.isWellFormed() || prompt.includes('\0'))
    throw new UsageError(`the prompt must be text of 1 to ${maxPromptLength} characters`);
  return prompt;
}

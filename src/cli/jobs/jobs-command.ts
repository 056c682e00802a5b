import { Command, InvalidArgumentError } from 'commander';
import { isId } from '../../ids.ts';
import { isBranchName, isOtherRef, stripBranchPrefix } from '../../repository/is-branch-name.ts';
import { type JobStatus, jobStatuses } from '../../store/tables/columns.ts';
import { UsageError } from '../report-usage.ts';
import { addRepositoryCommand, type OfRepository, parseName, type RepositoryArgument } from '../repository-command.ts';

export type JobsCommand = OfRepository & { isDetached: boolean } & (
    | { kind: 'list'; statuses: readonly JobStatus[]; limit: number }
    | {
        kind: 'create';
        prompt: string;
        author: string;
        ref: string | null;
        model: string | null;
        draft: boolean | null;
      }
    | { kind: 'message'; jobId: string; prompt: string; author: string }
    | { kind: 'watch'; jobId: string }
    | { kind: 'cancel'; jobId: string }
  );

interface Options {
  ref?: string;
  model?: string;
  draft?: boolean;
  as: string;
  detach?: boolean;
  json: boolean;
}

/** `pagewright jobs`: parses the arguments and passes them to `run`. */
export function createJobsCommand(parts: {
  userName: string;
  readStdin: () => Promise<string>;
  run: (command: JobsCommand) => Promise<void>;
}): Command {
  const { userName, readStdin, run } = parts;
  const readPrompt = async (text: string) => parsePrompt(text === '-' ? await readStdin() : text);
  const jobs = new Command('jobs')
    .summary('list and create jobs, follow them, send follow-ups, cancel')
    .description(
      `Lists jobs, creates them and follows them. Following ends when the job is no longer active: with status 0 if it is completed or merged, else 1.
Ctrl-C ends the command, not the job. Reads the same environment, .env and registered App as the service, which must be
running to do the work.`,
    )
    .addHelpText(
      'afterAll',
      `
Examples:
  pagewright jobs create acme/docs "Document the new rate limit." --draft
  git diff v1 v2 -- api | pagewright jobs create acme/docs -
  pagewright jobs list acme/docs --status active,failed
  pagewright jobs watch acme/docs job_01jd2x8e4vf3r9c5w7k6t0mzqa --json`,
    );
  const add = (name: string, does: string, json = 'print each event as a line of JSON') =>
    addRepositoryCommand(jobs, name, { does, json });
  const addPrompt = (command: Command) =>
    command
      .argument('<PROMPT>', 'the instruction; - reads it from standard input')
      .option('--as <name>', 'who asks: the author of the message', parseName, userName)
      .option('--detach', 'do not follow the job: print its id, or with --json {"jobId"}');

  add('list', 'list jobs, newest first', 'print each job as a line of JSON')
    .option('--status <statuses>', `some of ${jobStatuses.join(', ')}, separated by commas`, parseStatuses, jobStatuses)
    .option('--limit <n>', 'how many, 1 to 100', parseLimit, 20)
    .action(
      (
        target: RepositoryArgument,
        { status, limit, json }: Options & { status: readonly JobStatus[]; limit: number },
      ) => run({ kind: 'list', ...target, isJson: json, isDetached: false, statuses: status, limit }),
    );
  addPrompt(add('create', 'create a job and follow it'))
    .option('--ref <branch>', 'the base branch', parseBranch)
    .option('--model <name>', 'the model, one of OPENAI_MODEL and OPENAI_MODELS')
    .option('--draft', 'open the pull request as a draft')
    .action(async (target: RepositoryArgument, text: string, { ref, model, draft, as, detach, json }: Options) => {
      const options = { ref: ref ?? null, model: model ?? null, draft: draft ?? null };
      const output = { isJson: json, isDetached: detach ?? false };
      await run({ kind: 'create', ...target, ...output, author: as, prompt: await readPrompt(text), ...options });
    });
  const message = add('message', 'send a follow-up and follow the job').argument('<JOB_ID>', 'job_…', parseJobId);
  addPrompt(message).action(
    async (target: RepositoryArgument, jobId: string, text: string, { as, detach, json }: Options) => {
      const output = { isJson: json, isDetached: detach ?? false };
      await run({ kind: 'message', ...target, ...output, author: as, jobId, prompt: await readPrompt(text) });
    },
  );
  for (const [kind, description, json] of [
    ['watch', 'show what happened, and follow the job', undefined],
    ['cancel', 'stop the run of a job', 'print one line of JSON'],
  ] as const) {
    add(kind, description, json)
      .argument('<JOB_ID>', 'job_…', parseJobId)
      .action((target: RepositoryArgument, jobId: string, { json }: Options) =>
        run({ kind, ...target, isJson: json, isDetached: false, jobId }),
      );
  }
  return jobs;
}

const isStatus = (text: string): text is JobStatus => jobStatuses.some((status) => status === text);

function parseStatuses(text: string): readonly JobStatus[] {
  const statuses = text.split(',').map((status) => status.trim());
  const known = statuses.filter(isStatus);
  if (known.length < statuses.length) throw new InvalidArgumentError(`write some of: ${jobStatuses.join(', ')}`);
  return known;
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!/^\d{1,3}$/.test(text) || limit < 1 || limit > 100)
    throw new InvalidArgumentError('write a number from 1 to 100');
  return limit;
}

function parseBranch(text: string): string {
  const name = stripBranchPrefix(text);
  if (isOtherRef(text) || !isBranchName(name)) throw new InvalidArgumentError('write the name of a branch');
  return name;
}

function parseJobId(text: string): string {
  if (!isId('job', text))
    throw new InvalidArgumentError(`${text || 'nothing'} is not a job id, such as job_01jd2x8e4v…`);
  return text;
}

async function parsePrompt(text: string): Promise<string> {
  const prompt = text.trim();
  // Its patterns take longer to compile than all other arguments take to parse.
  const { findPromptProblem } = await import('../../jobs/find-prompt-problem.ts');
  const problem = findPromptProblem(prompt);
  if (problem !== undefined) throw new UsageError(`the prompt ${problem}`);
  return prompt;
}

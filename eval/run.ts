import { reportUsage, UsageError } from '../src/cli/report-usage.ts';
import { endWithReader } from '../src/cli/run-command.ts';
import { readEnvironment } from '../src/config/config.ts';
import { ConfigError } from '../src/config/config-error.ts';
import { createEvalCommand, type EvalCommand, type Evaluation } from './command.ts';
import { parsePrices } from './prices.ts';
import { formatResult, formatTotal, type Result, sumResults } from './result.ts';
import { ModelServerDown } from './runner/open-conversation.ts';
import { openStage } from './runner/open-stage.ts';
import { playAll } from './runner/play-all.ts';
import { allTasks } from './tasks/all-tasks.ts';

endWithReader();

/** The exit codes of shells for a program that a signal ended. */
const interrupted = 130;

const print = (line: string) => process.stdout.write(`${line}\n`);

async function runCommand(command: EvalCommand, signal: AbortSignal): Promise<number> {
  if (command.kind === 'evaluate') return evaluate(command, signal);
  const names = allTasks.map(({ name }) => name);
  for (const line of command.isJson ? [JSON.stringify(names)] : names) print(line);
  return 0;
}

/** Returns the exit code. */
async function evaluate(evaluation: Evaluation, signal: AbortSignal): Promise<number> {
  const prices = parsePrices(evaluation.environment.OPENAI_PRICES);
  const began = performance.now();
  await using stage = await openStage({ ...evaluation, signal });
  const report = (result: Result) => print(evaluation.isJson ? JSON.stringify(result) : formatResult(result));
  const results = await playAll(stage, { evaluation, prices, onResult: report, signal });
  const total = sumResults(results, (performance.now() - began) / 1_000);
  print(evaluation.isJson ? JSON.stringify({ total }) : `\n${formatTotal(total)}`);
  return total.right === total.of ? 0 : 1;
}

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => stopping.abort(new Error(`ended by ${name}`)));
try {
  const command = createEvalCommand(readEnvironment(), async (parsed) => {
    process.exitCode = await runCommand(parsed, stopping.signal);
  });
  reportUsage(command);
  await command.parseAsync();
} catch (error) {
  const isExpected = error instanceof UsageError || error instanceof ConfigError || stopping.signal.aborted;
  const text = error instanceof Error ? (isExpected ? error.message : (error.stack ?? error.message)) : String(error);
  const what = error instanceof ModelServerDown ? `the model server failed: ${error.message}` : text;
  process.stderr.write(`eval: ${what}\n`);
  process.exitCode = stopping.signal.aborted ? interrupted : 2;
}

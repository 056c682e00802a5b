import { existsSync, readFileSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import input from '@inquirer/input';
import password from '@inquirer/password';
import { parseStart } from '../../config/config.ts';
import { ConfigError } from '../../config/config-error.ts';
import { readEnvFile } from '../../config/env-file.ts';
import { useNetwork } from '../../config/network.ts';
import { createModelCheck } from '../../health/check-model.ts';
import { createPublicUrlCheck } from '../../health/check-network.ts';
import { type Examined, examine } from '../../health/examine.ts';
import { realTiming } from '../../timing.ts';
import { formatExamined } from '../doctor/doctor-command.ts';
import { UsageError } from '../report-usage.ts';
import type { CommandOptions } from '../run-command.ts';
import type { InitCommand } from './init-command.ts';

interface Question {
  message: string;
  isSecret: boolean;
  /** What an empty answer means. */
  current: string;
}

interface InitDoors {
  environment: NodeJS.ProcessEnv;
  ask: (question: Question) => Promise<string>;
  print: (text: string) => void;
}

const realDoors: InitDoors = {
  environment: process.env,
  ask,
  print: (text) => process.stdout.write(text),
};

const questions = [
  { name: 'OPENAI_BASE_URL', message: 'Model server (empty: OpenAI)' },
  { name: 'OPENAI_API_KEY', message: 'Key of the model server (empty: none)' },
  { name: 'OPENAI_MODEL', message: 'Model, such as gpt-5' },
  { name: 'PUBLIC_URL', message: 'https address at which GitHub reaches the service' },
] as const;

/** Writes the file once nothing is broken. Fails if something is and nobody can correct it. Throws `UsageError` for a missing or malformed value that nobody can correct. */
export async function init(
  { file, given, isAsking }: InitCommand,
  { signal, isColoured }: CommandOptions,
  doors = realDoors,
): Promise<{ text: string; hasFailed: boolean }> {
  const { environment, print } = doors;
  const stored = readEnvFile(file);
  const values: Record<string, string> = { ...given };
  for (const { name } of questions) values[name] ??= environment[name] ?? stored[name] ?? '';
  for (;;) {
    if (isAsking) await askAll(values, doors.ask);
    const examined = await examineValues({ ...stored, ...environment, ...values }, { isAsking, signal });
    print(formatExamined(examined, { isJson: false, isColoured }));
    if (examined.every(({ state }) => state !== 'broken')) break;
    print('Nothing is written yet.\n');
    if (!isAsking) return { text: '', hasFailed: true };
  }
  const chosen = Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== '' || name in stored));
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  await writeFile(file, writeVariables(text, chosen), { mode: 0o600 });
  // The mode counts only for a new file.
  await chmod(file, 0o600);
  print(
    `${file} is written, readable only for you. Next: pagewright start, which shows a link that registers your GitHub App.\n`,
  );
  return { text: '', hasFailed: false };
}

async function askAll(values: Record<string, string>, ask: InitDoors['ask']): Promise<void> {
  for (const { name, message } of questions)
    values[name] = (await ask({ message, isSecret: name === 'OPENAI_API_KEY', current: values[name] ?? '' })).trim();
}

async function examineValues(
  environment: NodeJS.ProcessEnv,
  { isAsking, signal }: { isAsking: boolean; signal: AbortSignal },
): Promise<Examined[]> {
  try {
    const start = parseStart(environment);
    const settings = start.kind === 'ready' ? start.config : start.settings;
    useNetwork(environment);
    const checks = [
      createModelCheck(settings.openai, { isOperatorAsking: true }),
      createPublicUrlCheck(settings.publicUrl),
    ];
    return await examine(checks, { signal, withinMs: realTiming.health.checkWithinMs });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    if (!isAsking) throw new UsageError(error.problems.join('; '));
    return error.problems.map((detail) => ({ part: 'configuration', state: 'broken', detail, todo: 'Answer again.' }));
  }
}

/** Sets variables in the text of a `.env`; its other lines stay. Throws `UsageError` for a value that no quotation can hold. */
export function writeVariables(text: string, values: Readonly<Record<string, string>>): string {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  for (const [name, value] of Object.entries(values)) {
    const at = lines.findIndex((line) => readName(line) === name);
    lines.splice(at < 0 ? lines.length : at, at < 0 ? 0 : 1, `${name}=${quote(value)}`);
  }
  const written = `${lines.join('\n')}\n`;
  const read = parseEnv(written);
  for (const [name, value] of Object.entries(values))
    if (read[name] !== value)
      throw new UsageError(`${name} cannot be written into the file: set it in the environment`);
  return written;
}

const readName = (line: string) =>
  line
    .split('=', 1)[0]
    ?.replace(/^ *export /, '')
    .trim();

function quote(value: string): string {
  if (/^[\w./:@%+,=-]*$/.test(value)) return value;
  const mark = ["'", '"', '`'].find((candidate) => !value.includes(candidate)) ?? '';
  return `${mark}${value}${mark}`;
}

/** Asks on the terminal. An empty answer to a secret keeps the current one, which is not shown. Throws `UsageError` without a terminal. */
async function ask({ message, isSecret, current }: Question): Promise<string> {
  if (!process.stdin.isTTY)
    throw new UsageError('this needs a terminal for its questions; or pass --yes and the values');
  try {
    if (!isSecret) return await input({ message, ...(current && { default: current }) });
    const kept = current ? `${message.replace(/ \(.*/, '')} (empty: keep)` : message;
    return (await password({ message: kept, mask: true })) || current;
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError') throw new UsageError('nothing was written');
    throw error;
  }
}

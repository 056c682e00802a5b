import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Command } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { createAutomationsCommand } from './cli/automations/automations-command.ts';
import { createCheckDocsCommand } from './cli/check-docs-command.ts';
import { createCheckSettingsCommand } from './cli/check-settings-command.ts';
import {
  createBackupCommand,
  createMoveDatabaseCommand,
  createRestoreCommand,
} from './cli/database/database-commands.ts';
import { describeError } from './cli/describe-error.ts';
import { createDoctorCommand } from './cli/doctor/doctor-command.ts';
import { endWhenWritten, endWithReader } from './cli/end-with-reader.ts';
import { createInitCommand } from './cli/init/init-command.ts';
import { findUserName } from './cli/jobs/find-user-name.ts';
import { createJobsCommand } from './cli/jobs/jobs-command.ts';
import { createKeysCommand } from './cli/keys-command.ts';
import { reportUsage } from './cli/report-usage.ts';
import { stopSignal } from './cli/stop-signal.ts';
import { UsageError } from './cli/usage-error.ts';
import { createRotateSecretsKeyCommand } from './cli/webhooks/rotate-secrets-key-command.ts';
import { createWebhooksCommand } from './cli/webhooks/webhooks-command.ts';

endWithReader();

async function readStdin(): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await buffer(process.stdin));
  } catch {
    throw new UsageError('standard input must be text in UTF-8');
  }
}

const print = (lines: readonly string[]) => void process.stdout.write(lines.map((line) => `${line}\n`).join(''));

// Each command loads its own code when it runs: help and mistakes are answered at once.
const program = new Command('pagewright')
  .description('A GitHub App that keeps documentation up to date. Every command reads the environment and .env.')
  .version(packageJson.version)
  .addHelpText(
    'after',
    `
Exit code: 0 when all is well, 1 when the command failed, 2 when its arguments are wrong.

Examples:
  pagewright init
  pagewright start
  pagewright keys create acme/docs --name ci
  pagewright jobs create acme/docs "Document the new rate limit."
  pagewright help keys`,
  );
program
  .command('start')
  .summary('run the service until SIGTERM or SIGINT')
  .description(
    `Runs the service until SIGTERM or SIGINT, which hand its runs over and end it within 30 s. On a terminal the log is lines for
people, elsewhere JSON. Without an App it logs a link to /setup, which registers one.`,
  )
  .addHelpText('after', '\nExamples:\n  pagewright start\n  ROLE=worker pagewright start')
  .action(async () => void (await import('./main.ts')));
program.addCommand(
  createInitCommand(async (command) => {
    const { init } = await import('./cli/init/init.ts');
    const { ask } = await import('./cli/init/ask.ts');
    const isColoured = process.stdout.hasColors?.() ?? false;
    const doors = { environment: process.env, ask, print: (text: string) => process.stdout.write(text), isColoured };
    process.exitCode = (await init(command, { ...doors, signal: stopSignal() })) ? 0 : 1;
  }),
);
program.addCommand(
  createDoctorCommand(async (command) => {
    const { doctor } = await import('./cli/doctor/doctor.ts');
    const isColoured = process.stdout.hasColors?.() ?? false;
    const { text, isBroken } = await doctor(command, { signal: stopSignal(), isColoured });
    process.stdout.write(text);
    process.exitCode = isBroken ? 1 : 0;
  }),
);
program.addCommand(
  createKeysCommand(async (command) => {
    const { keys } = await import('./cli/keys.ts');
    print(await keys(command, stopSignal()));
  }),
);
program.addCommand(
  createJobsCommand({
    userName: findUserName(process.env),
    readStdin,
    async run(command) {
      const { jobs } = await import('./cli/jobs/jobs.ts');
      process.exitCode = await jobs(command, stopSignal('; the job goes on'));
    },
  }),
);
program.addCommand(
  createAutomationsCommand(async (command) => {
    const { automations } = await import('./cli/automations/automations.ts');
    print(await automations(command, stopSignal()));
  }),
);
program.addCommand(
  createWebhooksCommand(async (command) => {
    const { webhooks } = await import('./cli/webhooks/webhooks.ts');
    print(await webhooks(command, stopSignal()));
  }),
);
program.addCommand(
  createRotateSecretsKeyCommand(async (command) => {
    const { rotateSecretsKey } = await import('./cli/webhooks/rotate-secrets-key.ts');
    const { lines, isLost } = await rotateSecretsKey(command, stopSignal());
    print(lines);
    process.exitCode = isLost ? 1 : 0;
  }),
);
program.addCommand(
  createCheckDocsCommand(async (command) => {
    const { checkDocs } = await import('./cli/check-docs.ts');
    const isColoured = process.stdout.hasColors?.() ?? false;
    const { text, notes, hasFailed } = await checkDocs(command, { signal: stopSignal(), isColoured });
    process.stdout.write(text);
    for (const note of notes) console.error(note);
    process.exitCode = hasFailed ? 1 : 0;
  }),
);
program.addCommand(
  createCheckSettingsCommand(async (command) => {
    const { checkSettings } = await import('./cli/check-settings.ts');
    const { text, hasMistake } = await checkSettings(command);
    process.stdout.write(text);
    process.exitCode = hasMistake ? 1 : 0;
  }),
);
for (const create of [createBackupCommand, createRestoreCommand, createMoveDatabaseCommand])
  program.addCommand(
    create(async (command) => {
      const { runDatabaseCommand } = await import('./cli/database/run-database-command.ts');
      print(await runDatabaseCommand(command, stopSignal()));
    }),
  );
// An installation without the evaluation's folder, such as a container, lacks the command.
const evaluation = join(import.meta.dirname, '../eval/run.ts');
if (existsSync(evaluation))
  program.command('eval', 'let a model do documentation tasks, and check the results', {
    executableFile: evaluation,
  });

reportUsage(program);
const [name = ''] = process.argv.slice(2);
try {
  await program.parseAsync();
} catch (error) {
  const command = program.commands.find((candidate) => candidate.name() === name);
  process.stderr.write(`${command?.name() ?? 'pagewright'}: ${describeError(error)}\n`);
  // A check ends with 1 if it found problems.
  process.exitCode = error instanceof UsageError || name.startsWith('check-') ? 2 : 1;
}
// The evaluation runs in a process of its own, for which this one waits.
if (name !== 'eval') await endWhenWritten();

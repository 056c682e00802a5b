import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Command } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { createAutomationsCommand } from './cli/automations/automations-command.ts';
import { createCheckDocsCommand, createCheckSettingsCommand } from './cli/check-commands.ts';
import { createDatabaseCommands } from './cli/database/database-commands.ts';
import { createDoctorCommand } from './cli/doctor/doctor-command.ts';
import { createInitCommand } from './cli/init/init-command.ts';
import { createJobsCommand } from './cli/jobs/jobs-command.ts';
import { createKeysCommand } from './cli/keys-command.ts';
import { describeError, reportUsage, UsageError } from './cli/report-usage.ts';
import { endWhenWritten, endWithReader, findUserName, runLoaded } from './cli/run-command.ts';
import { createRotateSecretsKeyCommand, createWebhooksCommand } from './cli/webhooks/webhooks-command.ts';

endWithReader();

async function readStdin(): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await buffer(process.stdin));
  } catch {
    throw new UsageError('standard input must be text in UTF-8');
  }
}

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
const commands = [
  createInitCommand(runLoaded(async () => (await import('./cli/init/init.ts')).init)),
  createDoctorCommand(runLoaded(async () => (await import('./cli/doctor/doctor.ts')).doctor)),
  createKeysCommand(runLoaded(async () => (await import('./cli/keys.ts')).keys)),
  createJobsCommand({
    userName: findUserName(process.env),
    readStdin,
    run: runLoaded(async () => (await import('./cli/jobs/run-jobs-command.ts')).jobs, '; the job goes on'),
  }),
  createAutomationsCommand(runLoaded(async () => (await import('./cli/automations/automations.ts')).automations)),
  createWebhooksCommand(runLoaded(async () => (await import('./cli/webhooks/webhooks.ts')).webhooks)),
  createRotateSecretsKeyCommand(runLoaded(async () => (await import('./cli/webhooks/webhooks.ts')).rotateSecretsKey)),
  createCheckDocsCommand(runLoaded(async () => (await import('./cli/check-docs.ts')).checkDocs)),
  createCheckSettingsCommand(runLoaded(async () => (await import('./cli/check-settings.ts')).checkSettings)),
  ...createDatabaseCommands(
    runLoaded(async () => (await import('./cli/database/run-database-command.ts')).runDatabaseCommand),
  ),
];
for (const command of commands) program.addCommand(command);
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

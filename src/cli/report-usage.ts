import { type Command, type CommanderError, Help } from 'commander';
import { ConfigError } from '../config/config-error.ts';
import { Refusal } from '../errors.ts';

/**
 * Lets a command and all below it throw `UsageError` for arguments that are wrong, and end the process after help. Help fills the lines of
 * the terminal, wherever the text of a description is broken.
 */
export function reportUsage(command: Command, path = command.name()): void {
  command.configureOutput({ outputError: () => {} });
  command.configureHelp({
    commandDescription: (described) => described.description().replaceAll(/(?<!\n)\n(?!\n)/g, ' '),
    // Every flag is off by default, so help does not repeat it.
    optionDescription: (option) =>
      option.defaultValue === false ? option.description : new Help().optionDescription(option),
  });
  command.exitOverride((error) => {
    // Help, the version, or the end of a command that ran in another process.
    if (error.exitCode === 0 || error.code === 'commander.executeSubCommandAsync') process.exit(error.exitCode);
    throw new UsageError(`${describeUsage(error, command)} (see: ${path} --help)`);
  });
  for (const child of command.commands) reportUsage(child, `${path} ${child.name()}`);
}

function describeUsage({ code, message }: CommanderError, { args }: Command): string {
  if (code === 'commander.help') return args[1] ? `unknown command '${args[1]}'` : 'missing command';
  const text = message
    .replace(/^error: /, '')
    .replace('command-argument value', 'the value')
    .replace(/( is invalid(?: for argument '[^']*')?)\. /, '$1: ')
    .replaceAll('\n', ' ');
  // Mostly the same option, misspelt.
  const unknown = code === 'commander.missingMandatoryOptionValue' && args.find((arg) => arg.startsWith('-'));
  return unknown ? `${text}; unknown option '${unknown}'` : text;
}

/** The arguments are wrong. The message is one line for the operator. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** An error and its causes, in one line. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error instanceof ConfigError ? `invalid configuration: ${error.problems.join('; ')}` : error.message;
  // Their messages are complete without a cause.
  const isComplete = error instanceof UsageError || error instanceof Refusal;
  const text =
    error.cause === undefined || isComplete
      ? own
      : `${own.replace(/(?<![\s.:])[\s.:]+$/, '')}: ${describeError(error.cause)}`;
  return text.replaceAll(/(?<!\s)\s*\n\s*/g, ' ');
}

import { Command, Option } from 'commander';

export interface CheckSettingsCommand {
  file: string;
  format: 'text' | 'github';
}

/** `pagewright check-settings`: parses the arguments and passes them to `run`. */
export function createCheckSettingsCommand(run: (command: CheckSettingsCommand) => Promise<void>): Command {
  return new Command('check-settings')
    .summary("check a repository's settings")
    .description(
      'Reads a settings file as the service does, and prints each mistake in the words of the pull request. Needs no .env.',
    )
    .argument('[FILE]', 'the file', '.github/pagewright.yml')
    .addOption(
      new Option('--format <format>', 'text, or annotations of a workflow on GitHub')
        .choices(['text', 'github'])
        .default('text'),
    )
    .addHelpText(
      'after',
      `
Exit code: 0 without mistakes, 1 with some, 2 if the command fails.

Examples:
  pagewright check-settings
  pagewright check-settings ~/docs/.github/pagewright.yml`,
    )
    .action((file: string, { format }: CheckSettingsCommand) => run({ file, format }));
}

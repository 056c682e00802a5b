import { Command, Option } from 'commander';

const failures = ['must', 'should', 'never'] as const;
const formats = ['text', 'json', 'github', 'sarif'] as const;

export interface CheckDocsCommand {
  /** Undefined: where the working tree left the branch that it will be merged into. */
  base: string | undefined;
  /** Undefined: the working tree. */
  head: string | undefined;
  repo: string | undefined;
  format: (typeof formats)[number];
  /** Which problems the exit code tells; `should`: all. */
  failOn: (typeof failures)[number];
}

/** `pagewright check-docs`: parses the arguments and passes them to `run`. */
export function createCheckDocsCommand(run: (command: CheckDocsCommand) => Promise<void>): Command {
  return new Command('check-docs')
    .summary('print the problems that a change of documentation adds')
    .description(
      `Compares two states of a documentation repository and prints the problems that HEAD adds: pages that do not parse, links,
images, anchors and navigation entries that lead to nothing, pages that no reader finds, missing redirects, front matter
that cannot be read. It does not print problems of BASE.`,
    )
    .argument(
      '[BASE]',
      'a folder or a commit; without it, where the working tree left the default branch; a folder without HEAD: all of its problems, or of the checkout that it is a part of',
    )
    .argument('[HEAD]', 'a folder or a commit; without it, the working tree')
    .option('--repo <dir>', 'the repository of the commits (default: the one of the current folder)')
    .addOption(
      new Option(
        '--format <format>',
        'text; json: one object a line; github: annotations of a workflow, its summary and outputs; sarif: for code scanning',
      )
        .choices(formats)
        .default('text'),
    )
    .addOption(
      new Option('--fail-on <severity>', 'which problems lead to exit code 1: must, should (all of them) or never')
        .choices(failures)
        .default('must'),
    )
    .option('--json', 'the same as --format json: file, line, kind, severity (must or should), message, target')
    .addHelpText(
      'after',
      `
Exit code: 0 without problems that must be fixed (see --fail-on), 1 with some, 2 if the command fails.

Examples:
  pagewright check-docs                        # what this branch and its working tree change
  pagewright check-docs .                      # all problems of the working tree
  pagewright check-docs main my-branch --repo ~/docs
  pagewright check-docs HEAD .                 # what is not committed yet
  pagewright check-docs ./before ./after --format json`,
    )
    .action(
      (
        base: string | undefined,
        head: string | undefined,
        { repo, json, format, failOn }: { repo?: string; json?: true } & CheckDocsCommand,
      ) => run({ base, head, repo, format: json ? 'json' : format, failOn }),
    );
}

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

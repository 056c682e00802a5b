import { Command, InvalidArgumentError } from 'commander';
import { type NamedChange, parseReference } from '../../context/changes/find-named-changes.ts';
import { automationName } from '../../ids.ts';
import { addRepositoryCommand, type OfRepository, type RepositoryArgument } from '../repository-command.ts';

export type AutomationsCommand =
  | ({ kind: 'list' } & OfRepository)
  | ({ kind: 'run'; name: string; pullRequest: NamedChange | undefined } & OfRepository)
  | ({ kind: 'pause' | 'resume'; name: string } & OfRepository);

/** `pagewright automations`: parses the arguments and passes them to `run`. */
export function createAutomationsCommand(run: (command: AutomationsCommand) => Promise<void>): Command {
  const automations = new Command('automations')
    .summary('list, run, pause and resume the automations of a repository')
    .description(
      'List, run, pause and resume automations. Reads the same environment, .env and registered App as the service, which may be running.',
    )
    .addHelpText(
      'afterAll',
      `
Examples:
  pagewright automations list acme/docs
  pagewright automations run acme/docs api-reference --pull-request acme/api#12
  pagewright automations pause acme/docs api-reference`,
    );
  const add = (name: string, does: string) =>
    addRepositoryCommand(automations, name, { does, of: 'the repository of the documentation' });

  add('list', 'list the automations, with what waits and the last run').action(
    (repository: RepositoryArgument, { json }: { json: boolean }) => run({ kind: 'list', ...repository, isJson: json }),
  );
  add('run', 'run an automation now, and print its job')
    .argument('<NAME>', 'the name in the settings', parseName)
    .option('--pull-request <OWNER/REPO#N>', 'document this pull request, whatever it changed', parsePullRequest)
    .action((repository: RepositoryArgument, name: string, options: { pullRequest?: NamedChange; json: boolean }) =>
      run({ kind: 'run', ...repository, name, pullRequest: options.pullRequest, isJson: options.json }),
    );
  for (const [kind, description] of [
    ['pause', 'pause an automation: what triggers it waits'],
    ['resume', 'resume an automation: it takes up what waits'],
  ] as const)
    add(kind, description)
      .argument('<NAME>', 'the name in the settings', parseName)
      .action((repository: RepositoryArgument, name: string, { json }: { json: boolean }) =>
        run({ kind, ...repository, name, isJson: json }),
      );
  return automations;
}

function parseName(text: string): string {
  if (automationName.test(text)) return text;
  throw new InvalidArgumentError('write the name of an automation: at most 40 letters a-z, digits and hyphens');
}

function parsePullRequest(text: string): NamedChange {
  const named = parseReference(text);
  if (!named) throw new InvalidArgumentError('write a pull request as owner/name#number');
  return named;
}

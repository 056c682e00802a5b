import { type Command, InvalidArgumentError } from 'commander';

export interface RepositoryArgument {
  owner: string;
  repo: string;
}

export type OfRepository = RepositoryArgument & { isJson: boolean };

/** Adds a command that begins with a repository and knows `--json`. Its arguments and options are added by the caller. */
export function addRepositoryCommand(
  parent: Command,
  name: string,
  { does, of = 'the repository', json = 'print one line of JSON' }: { does: string; of?: string; json?: string },
): Command {
  return parent
    .command(name)
    .description(does)
    .argument('<OWNER/REPO>', of, parseRepository)
    .option('--json', json, false);
}

export function parseRepository(text: string): RepositoryArgument {
  const [, owner, repo] = /^([\w.-]+)\/([\w.-]+)$/.exec(text) ?? [];
  if (owner === undefined || repo === undefined)
    throw new InvalidArgumentError('write the repository as OWNER/REPO, such as acme/docs');
  return { owner, repo };
}

/** The name of a person or an API key. */
export function parseName(text: string): string {
  const name = text.trim();
  if (!/^\P{C}{1,100}$/u.test(name)) throw new InvalidArgumentError('a name has 1 to 100 printable characters');
  return name;
}

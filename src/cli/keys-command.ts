import { Command, InvalidArgumentError } from 'commander';
import {
  addRepositoryCommand,
  type OfRepository,
  parseName,
  parseRepository,
  type RepositoryArgument,
} from './repository-command.ts';

export type KeysCommand =
  | ({ kind: 'create'; name: string; lifetimeMs: number | null } & OfRepository)
  | ({ kind: 'list' } & OfRepository)
  | { kind: 'revoke'; keyId: string; isJson: boolean };

/** `pagewright keys`: parses the arguments and passes them to `run`. */
export function createKeysCommand(run: (command: KeysCommand) => Promise<void>): Command {
  const keys = new Command('keys')
    .summary('create, list and revoke API keys')
    .description(
      'Create, list and revoke API keys. Reads the same environment, .env and registered App as the service, which may be running.',
    )
    .addHelpText(
      'afterAll',
      `
Examples:
  pagewright keys create acme/docs --name ci --expires 90d
  pagewright keys list acme/docs --json
  pagewright keys revoke key_01k6z4v6yqe3q9r3k1m9t0w2xa`,
    );
  keys
    .command('create')
    .description('create an API key and show it once')
    .argument('<OWNER/REPO>', 'the repository', parseRepository)
    .requiredOption('--name <name>', 'who uses the key: the author of messages sent with it', parseName)
    .option('--expires <span>', 'hours, days, weeks or years: 12h, 90d, 4w, 1y (default: never)', parseLifetime)
    .option('--json', 'print one line of JSON', false)
    .action(
      (repository: RepositoryArgument, { name, expires, json }: { name: string; expires?: number; json: boolean }) =>
        run({ kind: 'create', ...repository, name, lifetimeMs: expires ?? null, isJson: json }),
    );
  addRepositoryCommand(keys, 'list', { does: 'list the API keys of a repository' }).action(
    (repository: RepositoryArgument, { json }: { json: boolean }) => run({ kind: 'list', ...repository, isJson: json }),
  );
  keys
    .command('revoke')
    .description('revoke an API key, effective at once')
    .argument('<KEY_ID>', 'the key’s id, key_…')
    .option('--json', 'print one line of JSON', false)
    .action((keyId: string, { json }: { json: boolean }) => run({ kind: 'revoke', keyId, isJson: json }));
  return keys;
}

const hourMs = 3_600_000;
const unitsMs: Record<string, number> = { h: hourMs, d: 24 * hourMs, w: 168 * hourMs, y: 8_766 * hourMs };

function parseLifetime(text: string): number {
  const [, amount = '0', unit = ''] = /^(\d{1,5})([hdwy])$/.exec(text) ?? [];
  const lifetimeMs = Number(amount) * (unitsMs[unit] ?? 0);
  if (lifetimeMs === 0) throw new InvalidArgumentError('write a time span such as 12h, 90d, 4w or 1y');
  return lifetimeMs;
}

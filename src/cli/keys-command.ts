import { parseArgs } from 'node:util';

export const usage = `Usage: npm run -s keys -- COMMAND

  create OWNER/REPO --name NAME [--expires 90d] [--json]   make an API key; it is shown once
  list OWNER/REPO [--json]                                 show the keys of a repository
  revoke KEY_ID                                            end a key for good, at once

--name is for people: messages that come with the key bear it as their author.
--expires is a number of hours, days, weeks or years: 12h, 90d, 4w, 1y. Default: never.
--json prints one line of JSON.

It reads the same environment (and .env) as the service, which may run meanwhile, and the App registered at /setup.
`;

export type KeysCommand =
  | { kind: 'help' }
  | { kind: 'create'; owner: string; repo: string; name: string; lifetimeMs: number | null; isJson: boolean }
  | { kind: 'list'; owner: string; repo: string; isJson: boolean }
  | { kind: 'revoke'; keyId: string };

/** The command line is wrong; the message says how, in one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const options = {
  name: { type: 'string' },
  expires: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** Reads the arguments of `npm run keys --`. Throws `UsageError`. */
export function parseKeysCommand(args: string[]): KeysCommand {
  const { values, positionals } = parse(args);
  const [kind, subject, ...rest] = positionals;
  if (values.help || kind === 'help') return { kind: 'help' };
  if (kind !== 'create' && kind !== 'list' && kind !== 'revoke') {
    throw new UsageError(kind === undefined ? 'name a command' : `there is no command ${kind}`);
  }
  if (rest.length > 0) throw new UsageError(`${kind} takes one argument, not ${1 + rest.length}`);
  if (kind !== 'create' && (values.name ?? values.expires) !== undefined) {
    throw new UsageError(`${kind} takes no --name and no --expires`);
  }
  if (kind === 'revoke') {
    if (subject === undefined) throw new UsageError('revoke what? name the id of a key: key_…');
    return { kind, keyId: subject };
  }
  const repository = { ...parseRepository(subject), isJson: values.json };
  if (kind === 'list') return { kind, ...repository };
  return { kind, ...repository, name: parseName(values.name), lifetimeMs: parseLifetime(values.expires) };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'the options are wrong', { cause: error });
  }
}

function parseRepository(text = ''): { owner: string; repo: string } {
  const [, owner, repo] = /^([\w.-]+)\/([\w.-]+)$/.exec(text) ?? [];
  if (owner === undefined || repo === undefined)
    throw new UsageError('name a repository as OWNER/REPO, like acme/docs');
  return { owner, repo };
}

function parseName(text = ''): string {
  const name = text.trim();
  if (!/^\P{C}{1,100}$/u.test(name)) throw new UsageError('give the key a --name of 1 to 100 printable characters');
  return name;
}

const hourMs = 3_600_000;
const unitsMs: Record<string, number> = { h: hourMs, d: 24 * hourMs, w: 168 * hourMs, y: 8_766 * hourMs };

function parseLifetime(text: string | undefined): number | null {
  if (text === undefined) return null;
  const [, amount = '0', unit = ''] = /^(\d{1,5})([hdwy])$/.exec(text) ?? [];
  const lifetimeMs = Number(amount) * (unitsMs[unit] ?? 0);
  if (lifetimeMs === 0) throw new UsageError(`--expires ${text} is no time span: write 12h, 90d, 4w or 1y`);
  return lifetimeMs;
}

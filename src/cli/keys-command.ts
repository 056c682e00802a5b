import { parseArgs } from 'node:util';
import { parseRepository } from './parse-repository.ts';
import { UsageError } from './usage-error.ts';

export const usage = `Usage: npm run -s keys -- COMMAND

  create OWNER/REPO --name NAME [--expires 90d] [--json]   create an API key and show it once
  list OWNER/REPO [--json]                                 list the API keys of a repository
  revoke KEY_ID                                            revoke an API key, effective at once

--name     who uses the key; Pagewright names it as the author of messages sent with the key
--expires  hours, days, weeks or years: 12h, 90d, 4w, 1y; default: never
--json     print one line of JSON

The command reads the same environment, .env and registered App as the service. The service may be running.
`;

export type KeysCommand =
  | { kind: 'help' }
  | { kind: 'create'; owner: string; repo: string; name: string; lifetimeMs: number | null; isJson: boolean }
  | { kind: 'list'; owner: string; repo: string; isJson: boolean }
  | { kind: 'revoke'; keyId: string };

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
    throw new UsageError(kind === undefined ? 'missing command' : `unknown command ${kind}`);
  }
  if (rest.length > 0) throw new UsageError(`${kind} takes one argument, not ${1 + rest.length}`);
  if (kind !== 'create' && (values.name ?? values.expires) !== undefined) {
    throw new UsageError(`${kind} takes no --name and no --expires`);
  }
  if (kind === 'revoke') {
    if (subject === undefined) throw new UsageError('missing key id: revoke key_…');
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
    throw new UsageError(error instanceof Error ? error.message : 'invalid options', { cause: error });
  }
}

function parseName(text = ''): string {
  const name = text.trim();
  if (!/^\P{C}{1,100}$/u.test(name)) throw new UsageError('--name must have 1 to 100 printable characters');
  return name;
}

const hourMs = 3_600_000;
const unitsMs: Record<string, number> = { h: hourMs, d: 24 * hourMs, w: 168 * hourMs, y: 8_766 * hourMs };

function parseLifetime(text: string | undefined): number | null {
  if (text === undefined) return null;
  const [, amount = '0', unit = ''] = /^(\d{1,5})([hdwy])$/.exec(text) ?? [];
  const lifetimeMs = Number(amount) * (unitsMs[unit] ?? 0);
  if (lifetimeMs === 0) throw new UsageError(`invalid --expires ${text}: write a time span such as 12h, 90d, 4w or 1y`);
  return lifetimeMs;
}

import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Database } from '../../../src/store/postgres/database.ts';

/** Every form in which a secret could leak; a key of many lines by each of its lines. */
export const formsOf = (secret: string): string[] =>
  secret
    .split('\n')
    .filter((line) => line.length > 16 && !line.startsWith('-----'))
    .flatMap((line) => [
      line,
      encodeURIComponent(line),
      Buffer.from(line).toString('base64').replace(/=+$/, ''),
      Buffer.from(`x-access-token:${line}`).toString('base64').replace(/=+$/, ''),
      Buffer.from(line).toString('hex'),
      [...line].reverse().join(''),
    ]);

/** Returns the names of the secrets whose forms occur in the text. */
export function findSecrets(secrets: Record<string, string>, text: string): string[] {
  return Object.keys(secrets).filter((name) => formsOf(secrets[name] ?? '').some((form) => text.includes(form)));
}

/** Stands between the service and GitHub's API and keeps every token that GitHub mints. */
export async function startTokenCollector(target: string) {
  const tokens: string[] = [];
  const { origin } = new URL(target);
  const server = createServer(async (request, response) => {
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) {
      if (!['host', 'connection', 'content-length'].includes(name)) headers.set(name, String(value));
    }
    const body = Buffer.concat(await request.toArray());
    const answer = await fetch(`${origin}${request.url}`, {
      method: request.method ?? 'GET',
      headers,
      ...(body.length > 0 && { body }),
      redirect: 'manual',
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (request.url?.endsWith('/access_tokens')) tokens.push(JSON.parse(bytes.toString()).token);
    for (const [name, value] of answer.headers) {
      if (!['connection', 'transfer-encoding', 'content-length'].includes(name)) response.setHeader(name, value);
    }
    response.writeHead(answer.status).end(bytes);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: target.replace(origin, `http://127.0.0.1:${port}`),
    tokens,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns the rows of all tables, the queue's too, as text. */
export async function dumpDatabase(database: Database): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(database);
  const dumps = tables.map(async ({ name }) => {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.raw(name)} t`.execute(database);
    return rows.map(({ row }) => row).join('\n');
  });
  return (await Promise.all(dumps)).join('\n');
}

/** Returns every file below a directory, byte for byte, with its path. Skips files that disappear meanwhile. */
export async function readTree(directory: string): Promise<string> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = files.map(async (path) => `${path}\n${await readFile(path, 'latin1').catch(() => '')}`);
  return (await Promise.all(texts)).join('\n');
}

/** Command line and environment of the processes on this machine that work below a directory. Linux only. */
export async function readProcesses(directory: string): Promise<{ command: string; environment: string }[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const read = (id: string, what: string) => readFile(`/proc/${id}/${what}`, 'latin1').catch(() => '');
  const all = ids.map(async (id) => ({ command: await read(id, 'cmdline'), environment: await read(id, 'environ') }));
  return (await Promise.all(all)).filter((found) => `${found.command}${found.environment}`.includes(directory));
}

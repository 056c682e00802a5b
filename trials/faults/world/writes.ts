import { sql } from 'kysely';
import { z } from 'zod';
import type { LocalGitHub } from '../../../local/github/start-github.ts';
import type { World } from './world.ts';

const querySchema = z.object({ query: z.string() });

/** Requests that write on GitHub, oldest first: `POST /repos/team/docs/pulls`. Without those for tokens, whose number varies. */
export const listWrites = ({ requests }: LocalGitHub): string[] =>
  requests.filter(isWrite).map(({ method, path }) => `${method} ${path}`);

/** GraphQL reads by POST, too. */
export const isWrite = ({ method, path, body }: { method: string; path: string; body: unknown }): boolean =>
  method !== 'GET' &&
  !/git-upload-pack$|access_tokens$|^\/installation\/token$/.test(path) &&
  (path !== '/graphql' || /^\s*mutation\b/.test(querySchema.safeParse(body).data?.query ?? ''));

/** Returns a function that lists later writes on GitHub and later changes of these jobs' rows. */
export async function watchForMore(world: World, jobIds: readonly string[]): Promise<() => Promise<string[]>> {
  const writes = listWrites(world.github).length;
  const rows = await readRows(world, jobIds);
  return async () => {
    const written = listWrites(world.github).slice(writes);
    const stored = new Set(rows);
    const now = await readRows(world, jobIds);
    const changed = now.filter((line) => !stored.has(line)).map((line) => `stored later: ${line}`);
    if (now.length < rows.length) changed.push('a stored row is gone');
    return [...written, ...changed];
  };
}

/** One line per row. */
async function readRows({ database }: World, jobIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    with own as (select * from runs where job_id = any(${jobIds}))
    select 'jobs: ' || to_jsonb(jobs)::text as line from jobs where job_id = any(${jobIds})
    union all select 'runs: ' || to_jsonb(own)::text from own
    union all select 'turns: ' || to_jsonb(turns)::text from turns join own using (run_id)
    union all select 'run_files: ' || to_jsonb(run_files)::text from run_files join own using (run_id)
    union all select 'messages: ' || to_jsonb(messages)::text from messages where job_id = any(${jobIds})
    union all select 'effects: ' || to_jsonb(effects)::text from effects where job_id = any(${jobIds})`.execute(
    database,
  );
  return rows.map(({ line }) => line);
}

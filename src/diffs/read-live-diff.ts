import { LRUCache } from 'lru-cache';
import type { FileDiff } from '../file-diff.ts';
import type { Database } from '../store/postgres/database.ts';
import type { Run } from '../store/tables/jobs/runs.ts';
import { listWrites, readWrites } from '../store/tables/jobs/turns.ts';
import type { Project } from '../store/tables/repositories/projects.ts';
import type { RunTask } from '../threads/threads.ts';
import { compareTask } from './compare-texts.ts';
import { decodeFile, type ReadFileAt } from './read-files.ts';

const mostFiles = 50;
const mostBytes = 256 * 1024;
const mostRemembered = 500;

/** What a run has changed so far against the commit on which it began. Throws as `OpenProject`. */
type ReadLiveDiff = (
  database: Database,
  work: { project: Project; run: Run; signal: AbortSignal },
) => Promise<FileDiff[]>;

/** Compares each version of a file once: pages follow a run turn by turn. */
export function createReadLiveDiff(options: {
  readFile: ReadFileAt;
  runTask: RunTask;
  redact: (text: string) => string;
}): ReadLiveDiff {
  const { readFile, runTask, redact } = options;
  const known = new LRUCache<string, FileDiff>({ max: mostRemembered });

  return async (database, { project, run: { run_id: runId, base_sha: sha }, signal }) => {
    if (sha === null) return [];
    const writes = (await listWrites(database, { runId, limit: mostFiles })).map((write) => ({
      ...write,
      key: JSON.stringify([runId, write.path, write.digest]),
    }));
    const fresh = writes.filter(({ key }) => !known.has(key));
    const paths = fresh.filter(({ bytes }) => bytes <= mostBytes).map(({ path }) => path);
    const contents = await readWrites(database, runId, paths);
    const texts = await Promise.all(
      fresh.map(async ({ path, digest }) => {
        const before = await readFile({ project, of: { sha }, path, signal });
        const content = contents.get(path);
        // Deleted, or too long.
        const after = digest === null ? null : content && decodeFile(content);
        return { path, before: before ? decodeFile(before) : null, after: after && redact(after) };
      }),
    );
    const compared = await runTask(compareTask, texts, signal);
    for (const [index, diff] of compared.entries()) known.set(fresh[index]?.key ?? '', diff);
    return writes.flatMap(({ key }) => known.get(key) ?? []);
  };
}

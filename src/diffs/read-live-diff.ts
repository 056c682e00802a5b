import { structuredPatch } from 'diff';
import { LRUCache } from 'lru-cache';
import type { FileDiff } from '../file-diff.ts';
import type { Database } from '../store/postgres/database.ts';
import type { Run } from '../store/tables/jobs/runs.ts';
import { listWrites, readWrites } from '../store/tables/jobs/turns.ts';
import type { Project } from '../store/tables/repositories/projects.ts';
import type { RunTask, ThreadTask } from '../threads/threads.ts';
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

/** Two versions of a file. Null: there is none. Undefined: it is no text, or too long. */
interface Versions {
  path: string;
  before: string | null | undefined;
  after: string | null | undefined;
}

const compareTask: ThreadTask<Versions[], FileDiff[]> = { module: import.meta.url, work: compareTexts };

/** An exact comparison takes quadratic time. */
const limits = { context: 3, maxEditLength: 2_000, timeout: 1_000 };

/** As `git diff` compares them. Without a patch, if they are no texts or differ in too many lines. */
export function compareTexts(files: readonly Versions[]): FileDiff[] {
  return files.map(compareFile);
}

function compareFile({ path, before, after }: Versions): FileDiff {
  const status = before === null ? 'added' : after === null ? 'removed' : 'modified';
  const file = { path, previousPath: null, status, additions: 0, deletions: 0, patch: null } as const;
  if (before === undefined || after === undefined) return file;
  const found = structuredPatch(path, path, before ?? '', after ?? '', '', '', limits);
  if (!found) return file;
  const count = (sign: string) =>
    found.hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0);
  // An empty range begins after its line.
  const range = (start: number, lines: number) => `${lines === 0 ? start - 1 : start},${lines}`;
  const patch = found.hunks
    .map(
      ({ oldStart, oldLines, newStart, newLines, lines }) =>
        `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@\n${lines.join('\n')}`,
    )
    .join('\n');
  return { ...file, additions: count('+'), deletions: count('-'), patch };
}

import type { Diff } from '../../../../diffs/format-diff.ts';
import type { ReadDiff } from '../../../../diffs/read-diff.ts';
import { decodeFile, type ReadFileAt } from '../../../../diffs/read-files.ts';
import { createReadLiveDiff } from '../../../../diffs/read-live-diff.ts';
import type { Log } from '../../../../log.ts';
import { askGitHub } from '../../../../projects/ask-github.ts';
import type { Store } from '../../../../store/store.ts';
import type { Job } from '../../../../store/tables/jobs/jobs.ts';
import type { Project } from '../../../../store/tables/repositories/projects.ts';
import type { RunTask } from '../../../../threads/threads.ts';
import type { Colour } from '../../highlight/create-colourer.ts';
import type { Story } from '../story/read-story.ts';
import { colourChanges, fillGaps, type ShownFile } from './patch-lines.ts';

/** `none`: there is no pull request. `unknown`: GitHub did not answer, and the sentence says so. */
export type FoundChanges =
  | { kind: 'none' }
  | { kind: 'unknown'; sentence: string }
  | {
      kind: 'diff';
      diff: Diff;
      /** Line by line; empty unless the page shows them. */
      shown: ShownFile[];
      /** Colours may be there a moment later. */
      isLate: boolean;
      /** The file that is shown with all of its lines. */
      whole: string | undefined;
    };

interface Asked {
  project: Project;
  job: Job;
  /** Whether the page shows the lines. */
  isShown: boolean;
  whole: string | undefined;
  /** Where the hunk begins before which its lines are shown, if not all are. */
  gap: number | undefined;
}

/** Then the page shows everything else. */
const maxWaitMs = 3_000;

/** Does not throw for failures of GitHub. */
export function createReadChanges(options: { readDiff: ReadDiff; readFile: ReadFileAt; colour: Colour }) {
  const { readDiff, readFile, colour } = options;
  return async ({ project, job, isShown, whole, gap }: Asked): Promise<FoundChanges> => {
    if (job.pull_request_number === null) return { kind: 'none' };
    const signal = AbortSignal.timeout(maxWaitMs);
    try {
      const asked = await askGitHub(async () => {
        const diff = await readDiff({ project, job, signal });
        const isNamed = whole !== undefined && diff.files.some(({ path }) => path === whole);
        return {
          diff,
          text: isNamed ? decodeFile(await readFile({ project, of: { job }, path: whole, signal })) : undefined,
        };
      });
      if (asked.kind === 'refused') return { kind: 'unknown', sentence: asked.message };
      if (asked.kind === 'answered') {
        const { diff, text } = asked.result;
        const shown = await colourChanges(isShown ? diff.files : [], {
          colour,
          fill: ({ path }, lines) => (path === whole && text !== undefined ? fillGaps(lines, text, gap) : lines),
        });
        return { kind: 'diff', diff, whole, ...shown };
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    return { kind: 'unknown', sentence: 'GitHub did not return the change. Reload this page in a moment.' };
  };
}

export type ReadLive = ReturnType<typeof createReadLive>;

/** What the live run of a job has changed so far, line by line. Empty: none is live, or it cannot be read now. */
export function createReadLive(options: {
  store: Store;
  readFile: ReadFileAt;
  runTask: RunTask;
  redact: (text: string) => string;
  colour: Colour;
  log: Log;
}) {
  const { store, colour, log, ...parts } = options;
  const readLiveDiff = createReadLiveDiff(parts);
  return async (project: Project, { runs, progress }: Story): Promise<ShownFile[]> => {
    const run = runs.at(-1);
    if (!run || progress.files.length === 0) return [];
    try {
      const signal = AbortSignal.timeout(maxWaitMs);
      const files = await readLiveDiff(store.database, { project, run, signal });
      return (await colourChanges(files, { colour, fill: (_file, lines) => lines })).shown;
    } catch (error) {
      log.warn({ err: error, runId: run.run_id }, 'could not compare what a run has changed so far');
      return [];
    }
  };
}

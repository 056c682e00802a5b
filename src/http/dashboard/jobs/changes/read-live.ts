import type { ReadFileAt } from '../../../../diffs/read-files.ts';
import { createReadLiveDiff } from '../../../../diffs/read-live-diff.ts';
import type { Log } from '../../../../log.ts';
import type { Store } from '../../../../store/store.ts';
import type { Project } from '../../../../store/tables/repositories/projects.ts';
import type { RunTask } from '../../../../threads/threads.ts';
import type { Colour } from '../../highlight/create-colourer.ts';
import { besideOf, type View } from '../page/views.ts';
import type { Story } from '../story/read-story.ts';
import { colourChanges, type ShownFile } from './colour-changes.ts';

const maxWaitMs = 3_000;

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
  return async (project: Project, { runs, progress }: Story, view: View | undefined): Promise<ShownFile[]> => {
    const run = runs.at(-1);
    if (!run || progress.files.length === 0 || besideOf(view) !== 'changes') return [];
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

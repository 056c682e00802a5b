import fc from 'fast-check';
import { createProject } from '../../harness/create-project.ts';
import type { TestDatabase } from '../support/databases/database.ts';
import { allCommands } from './commands.ts';
import { assertAtRest } from './compare.ts';
import { createParts } from './create-parts.ts';
import { startLiveJob } from './live-job.ts';
import { createMemoryGitHub } from './memory-github.ts';
import { createModel } from './model.ts';
import { comeToRest, openPullRequest } from './take-step.ts';

/**
 * Lets jobs live through random sequences of events, and compares each with its model after every one. A failure prints its seed and path:
 * with them, exactly that sequence is run again.
 */
export async function assertAnySequence(made: TestDatabase, parameters: fc.Parameters<unknown>): Promise<void> {
  const memory = createMemoryGitHub(1);
  const { projectId } = await createProject(made.database);
  const parts = createParts(made, memory);
  const commands = fc.commands(allCommands, { maxCommands: 40, size: 'max' });
  const property = fc.asyncProperty(
    fc.constantFrom(false, false, false, true),
    commands,
    async (isFresh, happenings) => {
      const live = await startLiveJob({ parts, memory, projectId });
      const model = createModel();
      try {
        if (!isFresh) await openPullRequest(model, live);
        await fc.asyncModelRun(() => ({ model, real: live }), happenings);
        await comeToRest(model, live);
        await assertAtRest(model, live);
      } finally {
        // The worker takes any job that is due.
        await made.database.updateTable('jobs').set({ due_at: null }).where('job_id', '=', live.jobId).execute();
      }
    },
  );
  await fc.assert(property, parameters);
}

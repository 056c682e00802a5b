import fc from 'fast-check';
import { allCommands } from './commands.ts';
import { assertAtRest } from './compare.ts';
import type { Parts } from './create-parts.ts';
import { startLiveJob } from './live-job.ts';
import { createModel } from './model.ts';
import { comeToRest, openPullRequest } from './take-step.ts';

/**
 * Lets jobs live through random sequences of events, and compares each with its model after every one. A failure prints its seed and path:
 * with them, exactly that sequence is run again.
 */
export async function assertAnySequence(parts: Parts, parameters: fc.Parameters<unknown>): Promise<void> {
  const commands = fc.commands(allCommands, { maxCommands: 40, size: 'max' });
  const property = fc.asyncProperty(
    fc.constantFrom(false, false, false, true),
    commands,
    async (isFresh, happenings) => {
      const live = await startLiveJob(parts);
      const model = createModel();
      try {
        if (!isFresh) await openPullRequest(model, live);
        await fc.asyncModelRun(() => ({ model, real: live }), happenings);
        await comeToRest(model, live);
        await assertAtRest(model, live);
      } finally {
        // The worker takes any job that is due.
        await parts.database.updateTable('jobs').set({ due_at: null }).where('job_id', '=', live.jobId).execute();
      }
    },
  );
  await fc.assert(property, parameters);
}

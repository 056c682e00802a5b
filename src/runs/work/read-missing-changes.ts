import { inLease } from '../../store/schedule/lease.ts';
import { hasChanges, insertChanges } from '../../store/tables/jobs/changes.ts';
import { listOpenMessages } from '../../store/tables/jobs/messages.ts';
import type { RunContext } from '../run-context.ts';

/** For messages whose sender could not wait for GitHub: reads the pull requests that they name before the agent sees them. */
export async function readMissingChanges({ parts, lease, job, signals }: RunContext): Promise<void> {
  const { database, changes } = parts;
  for (const { message_id: messageId, prompt } of await listOpenMessages(database, job.job_id)) {
    if (!changes.isNamedIn(prompt) || (await hasChanges(database, messageId))) continue;
    const read = await changes.readNamed(prompt, { projectId: job.project_id, signal: signals.work });
    await inLease(database, lease, (tx) => insertChanges(tx, messageId, read));
  }
}

import { listMessagesOfRun } from '../../store/tables/jobs/messages.ts';
import { RunFailure } from '../failures.ts';
import type { RunContext } from '../run-context.ts';

/** Throws `RunFailure` if people asked where Pagewright cannot work, such as on a fork: the end of the run tells them. */
export async function requireAccepted({ parts: { database }, run }: RunContext): Promise<void> {
  const messages = await listMessagesOfRun(database, run.run_id);
  const refusals = messages.map(({ context }) => context?.conversation?.refusal);
  const [first] = refusals;
  if (first && refusals.every((refusal) => refusal !== undefined)) throw new RunFailure(first.code, first.sentence);
}

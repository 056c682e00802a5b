import type { Person } from '../../github/calls/people-calls.ts';
import type { Project } from '../../store/tables/repositories/projects.ts';
import { type DeliveryContext, ignoredBecause } from '../delivery-context.ts';
import { waitForOlder } from './wait-for-older.ts';

/**
 * Lets older instructions go first, then asks what the person may do, because access may end meanwhile. Returns when to try again, or why the
 * instruction is ignored. Call it before any other request to GitHub: a stranger's comment must not cause one.
 */
export async function admit(
  context: DeliveryContext,
  { project, person, isStop }: { project: Project; person: Person; isStop: boolean },
): Promise<Date | string | undefined> {
  const again = isStop ? undefined : await waitForOlder(context);
  if (again) return again;
  const isAllowed = isStop ? context.isTrusted : context.mayPrompt;
  const { signal } = context;
  return (await isAllowed({ project, person, signal })) ? undefined : ignoredBecause.noWriteAccess;
}

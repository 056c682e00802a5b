import type { CheckedOutRun } from '../run-context.ts';
import { type Checks, didNotRun, toChecks } from './checks.ts';

/** Of the whole change of the job, for people. A checker that fails or takes too long fails no run. */
export async function checkPublication({ parts, lease, checkout, signals }: CheckedOutRun): Promise<Checks> {
  const { docs, workspace } = checkout;
  const checked = await parts.takeStep({ step: 'check', jobId: lease.jobId }, () =>
    docs.check(workspace.writes(), { signal: signals.work }),
  );
  const checks = checked === undefined ? didNotRun : toChecks(checked);
  parts.onChecks(checks);
  return checks;
}

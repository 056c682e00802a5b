import type { Log } from '../log.ts';
import type { HealthCheck } from './finding.ts';

/** The parts that Pagewright needs beside a database that answers. */
export const degradedParts = ['github_app', 'github_permissions', 'model', 'data_dir', 'database_disk'] as const;
export type ServicePart = (typeof degradedParts)[number];

/** Checks at once and then every `everyMs`. Never throws, and logs only what changes. A check without an answer keeps the last result. */
export function startHealth(options: {
  checks: readonly HealthCheck<ServicePart>[];
  log: Log;
  everyMs: number;
  checkWithinMs: number;
}) {
  const { checks, log, everyMs, checkWithinMs } = options;
  const found = new Map<ServicePart, string>();
  const stopping = new AbortController();

  async function run({ part, find }: HealthCheck<ServicePart>): Promise<void> {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(checkWithinMs)]);
    const answer = await find(signal).then(
      (finding) => ({ problem: finding.state === 'broken' ? `${finding.detail}. ${finding.todo}` : undefined }),
      () => undefined,
    );
    if (answer === undefined || stopping.signal.aborted) return;
    const { problem } = answer;
    if (problem === found.get(part)) return;
    if (problem === undefined) {
      found.delete(part);
      log.info({ part }, 'this works again');
    } else {
      found.set(part, problem);
      log.error({ part, problem }, 'this does not work');
    }
  }

  const runAll = () => void Promise.all(checks.map(run));
  runAll();
  const timer = setInterval(runAll, everyMs).unref();
  return {
    /** The parts that do not work, as of the last check that got an answer. */
    degraded: (): ServicePart[] => checks.map(({ part }) => part).filter((part) => found.has(part)),
    /** The same, with the facts and the remedies. */
    problems: () => [...found].map(([part, problem]) => ({ part, problem })),
    [Symbol.dispose]() {
      clearInterval(timer);
      stopping.abort(new Error('the service is stopping'));
    },
  };
}

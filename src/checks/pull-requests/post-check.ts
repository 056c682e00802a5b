import { annotationsPerRequest, type CheckOutput } from '../../github/calls/check-calls.ts';
import type { RepositoryClient } from '../../github/calls/repository-client.ts';
import type { PullRequestCheck } from '../../store/tables/repositories/pull-request-checks.ts';
import { checkName, type WrittenCheck } from './write-check.ts';

/**
 * Adds the check run to its commit, once for each attempt: looks for it first, adopts it, and adds what it lacks. It is in progress until it has all
 * annotations. Returns its id.
 */
export async function postCheck(
  client: RepositoryClient,
  { number, sha, attempt }: PullRequestCheck,
  { conclusion, title, summary, annotations }: WrittenCheck,
): Promise<number> {
  const externalId = `${number}:${attempt}`;
  const part = (from: number): { conclusion: typeof conclusion | undefined; output: CheckOutput } => {
    const end = from + annotationsPerRequest;
    const output = { title, summary, annotations: annotations.slice(from, end) };
    return { conclusion: end >= annotations.length ? conclusion : undefined, output };
  };
  const found = await client.findOwnCheckRun(sha, { name: checkName, externalId });
  if (found?.isFinished) return found.checkRunId;
  const checkRunId =
    found?.checkRunId ?? (await client.createCheckRun({ name: checkName, sha, externalId, ...part(0) }));
  let told = found?.annotations ?? Math.min(annotations.length, annotationsPerRequest);
  if (found && told >= annotations.length) await client.updateCheckRun(checkRunId, part(annotations.length));
  for (; told < annotations.length; told += annotationsPerRequest) await client.updateCheckRun(checkRunId, part(told));
  return checkRunId;
}

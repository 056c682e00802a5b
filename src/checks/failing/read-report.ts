import type { RepositoryClient } from '../../github/calls/repository-client.ts';
import { findSecrets, maskSecrets } from '../../secrets/scanner.ts';
import type { Project } from '../../store/tables/repositories/projects.ts';
import type { ThreadTask } from '../../threads/threads.ts';
import { askIfGranted } from '../ask-if-granted.ts';
import type { CheckParts } from '../check-parts.ts';
import { cleanLog } from './cut-log.ts';
import type { FailingCheck } from './judge-checks.ts';
import { maxReported, type ReadCheck, writeReport } from './write-report.ts';

/**
 * The report without what looks like a key: GitHub hides only the secrets that it knows. Logs are searched before they are cut, because half a
 * key is no longer recognized.
 */
export async function writeSafeReport(checks: readonly ReadCheck[]): Promise<string> {
  const safe: ReadCheck[] = [];
  for (const each of checks.slice(0, maxReported))
    safe.push({ ...each, log: each.log && (await hideKeys(cleanLog(each.log))) });
  return hideKeys(writeReport([...safe, ...checks.slice(maxReported)]));
}

const hideKeys = async (text: string) => maskSecrets(text, await findSecrets(text));

const writeReportTask: ThreadTask<readonly ReadCheck[], string> = { module: import.meta.url, work: writeSafeReport };

/** At most two requests for each of ten checks. */
export async function readReport(
  { openProject, runTask, redact }: CheckParts,
  { project, client, failing }: { project: Project; client: RepositoryClient; failing: readonly FailingCheck[] },
  signal: AbortSignal,
): Promise<string> {
  const jobs = failing.slice(0, maxReported).map(findJobId);
  const logs = jobs.some((jobId) => jobId !== undefined)
    ? await askIfGranted(async () => {
        await using access = await openProject(project, { actions: 'read' }, signal);
        const texts: (string | undefined)[] = [];
        for (const jobId of jobs) texts.push(jobId === undefined ? undefined : await access.client.fetchJobLog(jobId));
        return texts;
      })
    : [];
  const read: ReadCheck[] = [];
  for (const [index, check] of failing.entries()) {
    const hasAnnotations = index < maxReported && check.kind === 'run' && check.run.annotations > 0;
    read.push({
      check,
      annotations: hasAnnotations ? await client.listAnnotations(check.run.checkRunId) : [],
      log: logs?.[index],
      note: logs === undefined && jobs[index] !== undefined ? unread : undefined,
    });
  }
  return redact(await runTask(writeReportTask, read, signal));
}

const unread = 'Its log was not read: the installation does not grant `actions: read`.';

/** GitHub shows a job of Actions at `…/actions/runs/1/job/2`. */
function findJobId(check: FailingCheck): number | undefined {
  if (check.kind !== 'run' || check.run.appSlug !== 'github-actions') return undefined;
  const [, id] = /\/job\/(\d{1,15})$/.exec(check.url ?? '') ?? [];
  return id === undefined ? undefined : Number(id);
}

import { apiUrlOf, webUrlOf } from '../json/present.ts';
import type { Account } from '../state/account.ts';
import type { Annotation, CheckRun, Conclusion, Workflow } from '../state/checks.ts';
import type { Repository } from '../state/world.ts';
import { announceCheckRun, announceCheckSuite } from './present-check-run.ts';

/** What an App reports; everything but the name may be left out. */
export interface CheckReport {
  name: string;
  headSha: string;
  app: CheckRun['app'];
  status?: CheckRun['status'] | undefined;
  conclusion?: Conclusion | undefined;
  externalId?: string | undefined;
  title?: string | undefined;
  summary?: string | undefined;
  text?: string | undefined;
  annotations?: Annotation[] | undefined;
  log?: string | undefined;
  workflow?: Workflow | undefined;
}

export const actionsApp = { id: 15368, slug: 'github-actions' };

/** https://docs.github.com/en/rest/checks/runs#create-a-check-run */
export function createCheckRun(repository: Repository, report: CheckReport, sender: Account): CheckRun {
  const { world } = repository;
  const { name, headSha, app, workflow } = report;
  const now = world.timestamp();
  const twin = repository.checkRuns.find(
    (run) => run.headSha === headSha && run.app.id === app.id && run.workflow?.id === workflow?.id,
  );
  const id = world.nextId();
  const run: CheckRun = {
    id,
    suiteId: twin?.suiteId ?? world.nextId(),
    workflow,
    app,
    name,
    headSha,
    status: 'queued',
    conclusion: null,
    externalId: report.externalId ?? '',
    detailsUrl:
      app.id === actionsApp.id
        ? `${webUrlOf(repository)}/actions/runs/${id + 1}/job/${id}`
        : `${apiUrlOf(repository)}/check-runs/${id}`,
    title: null,
    summary: null,
    text: null,
    annotations: [],
    log: report.log ?? null,
    startedAt: now,
    completedAt: null,
  };
  repository.checkRuns.push(run);
  announceCheckRun(repository, run, { action: 'created', sender });
  updateCheckRun(repository, run, report, sender);
  return run;
}

/** Annotations are added to those that the run has: https://docs.github.com/en/rest/checks/runs#update-a-check-run */
export function updateCheckRun(
  repository: Repository,
  run: CheckRun,
  change: Partial<CheckReport>,
  sender: Account,
): void {
  const wasCompleted = run.status === 'completed';
  run.status = change.conclusion ? 'completed' : (change.status ?? run.status);
  run.conclusion = change.conclusion ?? run.conclusion;
  run.title = change.title ?? run.title;
  run.summary = change.summary ?? run.summary;
  run.text = change.text ?? run.text;
  run.annotations.push(...(change.annotations ?? []));
  if (run.status !== 'completed' || wasCompleted) return;
  run.completedAt = repository.world.timestamp();
  announceCheckRun(repository, run, { action: 'completed', sender });
  const ofSuite = repository.checkRuns.filter(({ suiteId }) => suiteId === run.suiteId);
  if (ofSuite.every(({ status }) => status === 'completed')) announceCheckSuite(repository, run, sender);
}

/** "Re-run" on the page: GitHub tells the App alone, which starts again. */
export function rerequestCheckRun(repository: Repository, run: CheckRun, sender: Account): void {
  announceCheckRun(repository, run, { action: 'rerequested', sender });
}

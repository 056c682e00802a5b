import type { Router } from 'express';
import { addMessage } from '../../../jobs/add-message.ts';
import { archiveJob } from '../../../jobs/archive-job.ts';
import { cancelJob } from '../../../jobs/cancel-job.ts';
import { createJob } from '../../../jobs/create-job.ts';
import { listJobRows } from '../../../jobs/list-job-rows.ts';
import { describeClosed, fetchPullRequestNow, unarchiveJob } from '../../../jobs/unarchive-job.ts';
import { askGitHub } from '../../../projects/ask-github.ts';
import type { OpenProject } from '../../../projects/open-project.ts';
import { listAuthors, listJobs } from '../../../store/lists/list-jobs.ts';
import { mostCounted } from '../../../store/lists/list-project-activity.ts';
import { inTransaction, type Store } from '../../../store/store.ts';
import type { Job } from '../../../store/tables/jobs/jobs.ts';
import { createMessageBody } from '../../api/messages/message-body.ts';
import { describeRefusal } from '../../api/requests/refusal.ts';
import { httpProblemKinds } from '../../problem.ts';
import type { DashboardParts } from '../dashboard-parts.ts';
import { readForm } from '../frame/read-form.ts';
import { linkTo } from '../frame/render-page.ts';
import type { PageRoutes, ProjectVisit } from '../people/page-routes.ts';
import { checkTypedJob, createBranches, exampleJob, newJobPage, readTypedJob } from './list/job-form.ts';
import { jobsPage, jobsPerPage, readJobFilter } from './list/jobs-page.ts';
import { readRunTurns, runPage } from './page/activity.ts';
import { createShowJob, type LiveParts } from './page/show-job.ts';
import { readVisitedJob } from './story/read-story.ts';
import { renderProse } from './story/render-markdown.ts';

export function createJobRoutes(parts: DashboardParts, { forWriters }: PageRoutes, live: LiveParts): Router {
  const { config, readBody, changes, openProject, redact, runTask } = parts;
  const showJob = createShowJob(parts, live);
  const branches = createBranches(openProject);
  const { models } = config.openai;
  const { jobs: list, branches: branchesOf, newJob, job: one } = linkTo(':projectId');
  const job = one(':jobId');
  const { router, get, post } = forWriters();

  get(list, async ({ request, project, withStore }) => {
    const filter = readJobFilter(request.query);
    const { project_id: projectId } = project;
    const waits = { projectId, statuses: ['completed'], hasPullRequest: true } as const;
    return withStore(async ({ database }) => {
      const { items } = await listJobs(database, waits, { limit: mostCounted });
      const listed = await listJobRows(database, { projectId, limit: jobsPerPage, ...filter });
      const authors = await listAuthors(database, projectId);
      const { webUrl } = config.github;
      return jobsPage({ project, webUrl, models, filter, waiting: items.length, authors, ...listed });
    });
  });
  get(branchesOf, async (visit) => {
    visit.response.json(await branches.list(visit));
    return null;
  });
  get(newJob, async ({ project, request }) => {
    const isExample = request.query.example !== undefined;
    return newJobPage({ project, models, ...(isExample && { typed: exampleJob(project) }) });
  });
  post(newJob, async (visit) => {
    const { project, person, withStore } = visit;
    const typed = readTypedJob(await readForm(visit, readBody));
    const { job: checked, problems } = checkTypedJob(typed, models);
    if (!checked) return newJobPage({ project, models, typed, problems, status: 422 });
    const missing = checked.ref === undefined ? undefined : await branches.findProblem(visit, checked.ref);
    if (missing !== undefined) return newJobPage({ project, models, typed, problems: { ref: missing }, status: 422 });
    const { project_id: projectId } = project;
    const { prompt, ref, model, draft } = checked;
    const named = await changes.readAtOnce(prompt, { projectId, signal: visit.signal });
    const result = await withStore((store) =>
      createJob(store, {
        projectId,
        prompt,
        changes: named,
        source: 'dashboard',
        author: person.login,
        base: ref ?? null,
        model: model ?? null,
        models,
        draft: draft ?? null,
        ...config.projectLimits,
      }),
    );
    if (result.kind === 'accepted') return { redirectTo: linkTo(projectId).job(result.job.job_id) };
    const { kind, message: notice } = describeRefusal(result);
    return newJobPage({ project, models, typed, notice, status: httpProblemKinds[kind].status });
  });

  get(job, (visit) => showJob(visit));
  post(`${job}/messages`, async (visit) => {
    const { person, project, withStore } = visit;
    const { project_id: projectId } = project;
    const typed = (await readForm(visit, readBody)).get('prompt') ?? '';
    const { job_id: jobId } = await withStore(({ database }) => readVisitedJob(database, visit));
    const parsed = createMessageBody({ images: false }).safeParse({ prompt: typed });
    if (!parsed.success) {
      const problem = `The follow-up ${parsed.error.issues[0]?.message ?? 'is not valid'}.`;
      return showJob(visit, { typed, problem, status: 422 });
    }
    const { prompt } = parsed.data;
    const origin = { source: 'dashboard', author: person.login } as const;
    const named = await changes.readAtOnce(prompt, { projectId, signal: visit.signal });
    const followUp = { jobId, projectId, prompt, changes: named, ...origin, ...config.projectLimits };
    const result = await withStore((store) => addMessage(store, followUp));
    if (result.kind === 'accepted') return { redirectTo: `${linkTo(projectId).job(jobId)}#prompt` };
    const { kind, message: problem } = describeRefusal(result);
    return showJob(visit, { typed, problem, status: httpProblemKinds[kind].status });
  });

  const act = (name: string, change: (store: Store, job: Job) => Promise<unknown>) =>
    post(`${job}/${name}`, async (visit) => {
      await visit.withStore(async (store) => change(store, await readVisitedJob(store.database, visit)));
      return { redirectTo: linkTo(visit.project.project_id).job(String(visit.request.params.jobId)) };
    });
  act('cancel', (store, { job_id: jobId }) => cancelJob(store, jobId));
  act('archive', (store, { job_id: jobId }) =>
    inTransaction(store, (storeTx) => archiveJob(storeTx, jobId, 'requested')),
  );
  post(`${job}/unarchive`, async (visit) => {
    const found = await visit.withStore(({ database }) => readVisitedJob(database, visit));
    const notice = await unarchive(openProject, visit, found);
    if (notice !== undefined) return showJob(visit, { notice, status: 409 });
    return { redirectTo: linkTo(visit.project.project_id).job(found.job_id) };
  });
  get(`${job}/runs/:runId`, async (visit) => {
    const { project, request, withStore } = visit;
    const { job_id: jobId } = await withStore(({ database }) => readVisitedJob(database, visit));
    const page = await withStore(({ database }) => readRunTurns(database, { jobId, request, redact }));
    const texts = page.turns.map(({ text }) => text).filter((text) => text !== null);
    const prose = await renderProse({ texts }, { runTask, signal: visit.signal });
    return runPage({ project, jobId, ...page, prose });
  });
  return router;
}

/** Returns why the job stays archived; undefined: it is open again. */
async function unarchive(
  openProject: OpenProject,
  { project, signal, withStore }: ProjectVisit,
  job: Job,
): Promise<string | undefined> {
  if (job.status !== 'archived') return undefined;
  const asked = await askGitHub(() => fetchPullRequestNow(openProject, { project, job, signal }));
  if (asked.kind === 'refused') return asked.message;
  if (asked.kind === 'unavailable') return 'GitHub does not answer now. Try again in a few seconds.';
  const gone = 'Pagewright can no longer access the repository. Install the GitHub App on it again.';
  if (asked.kind === 'project_gone') return gone;
  const result = await withStore((store) =>
    inTransaction(store, (storeTx) => unarchiveJob(storeTx, job, asked.result)),
  );
  switch (result.kind) {
    case 'project_gone':
      return gone;
    case 'changed':
      return 'The pull request is changing on GitHub. Try again in a few seconds.';
    case 'closed':
      return describeClosed(result);
    default:
      return undefined;
  }
}

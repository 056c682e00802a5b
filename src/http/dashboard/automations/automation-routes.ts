import { Router } from 'express';
import { describeAutomations } from '../../../automations/describe-automations.ts';
import { pauseAutomation, resumeAutomation } from '../../../automations/pause-automation.ts';
import { isTaken } from '../../../automations/take-up.ts';
import { describeNotRun, describeNotTaken, runAutomationBody } from '../../api/automations/run-automation-endpoint.ts';
import type { HttpProblem } from '../../problem.ts';
import type { DashboardParts } from '../dashboard-parts.ts';
import { pageNotFound } from '../frame/page-refusal.ts';
import { linkTo } from '../frame/project-links.ts';
import { readForm } from '../frame/read-form.ts';
import type { PageRoutes, ProjectVisit } from '../people/page-routes.ts';
import { automationsPage, mergedPage } from './automations-page.ts';

/** Shows the project's automations, and lets people who can write run, pause and resume them. */
export function createAutomationRoutes(
  { automations, readBody, log }: DashboardParts,
  { forWriters }: PageRoutes,
): Router {
  const { automations: address } = linkTo(':projectId');
  const router = Router();

  async function show(visit: ProjectVisit, refused?: { name: string; typed: string; problem: string }) {
    const { project, withStore } = visit;
    const listed = await withStore(({ database }) => describeAutomations(database, project.project_id));
    return automationsPage({ project, automations: listed, refused });
  }

  router.get(
    address,
    forWriters((visit) => show(visit)),
  );
  router.get(
    `${address}/:name/merged`,
    forWriters(async (visit) => {
      const { project, signal } = visit;
      const name = nameOf(visit);
      const recent = await automations.listRecent({ projectId: project.project_id, name }, signal);
      if (recent.kind === 'unknown') throw pageNotFound();
      return mergedPage({ project, name, recent });
    }),
  );
  router.post(
    `${address}/:name/run`,
    forWriters(async (visit) => {
      const { project, person, signal, withStore } = visit;
      const { project_id: projectId } = project;
      const name = nameOf(visit);
      const typed = ((await readForm(visit, readBody)).get(`pullRequest-${name}`) ?? '').trim();
      const refuse = (problem: string) => show(visit, { name, typed, problem });
      const parsed = runAutomationBody.safeParse(typed === '' ? {} : { pullRequest: typed });
      if (!parsed.success) return refuse('Write a pull request as owner/name#number.');
      const key = { projectId, name };
      const prepared = await automations.prepare({ key, pullRequest: parsed.data.pullRequest }, signal);
      if (prepared.kind === 'unknown') throw pageNotFound();
      if (prepared.kind !== 'prepared') return refuse(explain(describeNotRun(prepared)));
      const taken = await withStore((store) => automations.run(store, prepared, { author: person.login }));
      if (!isTaken(taken)) return refuse(explain(describeNotTaken(taken)));
      const { job_id: jobId } = taken.job;
      log.info({ projectId, name, jobId, login: person.login }, 'a person ran an automation');
      return { redirectTo: linkTo(projectId).job(jobId) };
    }),
  );
  for (const [verb, change] of [
    ['pause', pauseAutomation],
    ['resume', resumeAutomation],
  ] as const)
    router.post(
      `${address}/:name/${verb}`,
      forWriters(async (visit) => {
        const { project, person, withStore } = visit;
        const { project_id: projectId } = project;
        const name = nameOf(visit);
        if (!(await withStore((store) => change(store, { projectId, name })))) throw pageNotFound();
        log.info({ projectId, name, verb, login: person.login }, 'a person paused or resumed an automation');
        return { redirectTo: linkTo(projectId).automations };
      }),
    );
  return router;
}

const explain = ({ message }: HttpProblem): string => message;

function nameOf({ request }: ProjectVisit): string {
  const { name } = request.params;
  if (typeof name === 'string' && /^[a-z0-9-]{1,40}$/.test(name)) return name;
  throw pageNotFound();
}

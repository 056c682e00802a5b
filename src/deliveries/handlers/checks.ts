import { z } from 'zod';
import { noteCheck } from '../../checks/failing/look-at-checks.ts';
import { notePreview } from '../../jobs/note-preview.ts';
import { readStoredSettings } from '../../repository/settings.ts';
import type { Database } from '../../store/postgres/database.ts';
import type { StoreTx } from '../../store/store.ts';
import { lockJob } from '../../store/tables/jobs/jobs.ts';
import { findJobOfPush, findLastPush } from '../../store/tables/jobs/runs.ts';
import { findProject } from '../../store/tables/repositories/projects.ts';
import { type DeliveryContext, ignoredBecause } from '../delivery-context.ts';
import { defineEvent, type EventHandler } from '../github-event.ts';
import { type CommonFields, fieldsOf } from '../payload.ts';
import { mayBeChecked, repeatChecks } from '../request-check.ts';

const { repository } = fieldsOf;

const findJob = async (database: Database, { repository }: CommonFields, sha: string) =>
  repository && findJobOfPush(database, { repositoryId: repository.id, sha });

/** A head that a job pushed; checks of other commits are of no concern, and cost one look at an index. */
const mayConcernHead = async (database: Database, fields: CommonFields, sha: string): Promise<boolean> =>
  (await findJob(database, fields, sha)) !== undefined;

/** A check or status of a head may have finished: GitHub is asked about all of them soon, at once for many. */
const noteHead =
  ({ fields, timing }: DeliveryContext, sha: string) =>
  async (store: StoreTx): Promise<string | undefined> => {
    const jobId = await findJob(store.tx, fields, sha);
    if (!jobId) return 'not a commit of a job';
    await noteCheck(store, { jobId, sha, afterMs: timing.checks.settleMs });
    return undefined;
  };

/** A commit of a job can be seen at an address. One that is no longer the head is passed over, and so is a setting that says where. */
const notePreviewOf =
  (fields: CommonFields, { sha, url }: { sha: string; url: string | null }) =>
  async (store: StoreTx): Promise<string | undefined> => {
    const { tx } = store;
    const jobId = await findJob(tx, fields, sha);
    if (!jobId) return 'not a commit of a job';
    const job = await lockJob(tx, jobId);
    if (job.status === 'archived' || (await findLastPush(tx, jobId)) !== sha) return 'no longer the head';
    const project = await findProject(tx, job.project_id);
    if (readStoredSettings(project?.settings).preview !== null)
      return 'the settings say where it can be seen, or that it is not wanted';
    return (await notePreview(store, job, { url, sha })) ? undefined : 'no address to link to, or it was noted before';
  };

/** One of the two is there. */
interface CheckFields extends CommonFields {
  check_run?: { head_sha: string; external_id?: string | null | undefined };
  check_suite?: { head_sha: string };
}

const headOf = ({ check_run: run, check_suite: suite }: CheckFields): string => (run ?? suite)?.head_sha ?? '';

const completed: EventHandler<CheckFields> = async (context) => noteHead(context, headOf(context.fields));

/**
 * "Re-run", or "Re-run all checks". GitHub asks only the App whose check it is. The id of a check run begins with the number of the pull
 * request.
 */
const rerequested: EventHandler<CheckFields> = async (context) => {
  const project = await context.findProject();
  if (!project) return ignoredBecause.noProject;
  const { check_run: run } = context.fields;
  const number = run && Number(/^(\d{1,9}):\d{1,9}$/.exec(run.external_id ?? '')?.[1]);
  if (run && !number) return 'not a check of ours';
  const head = { projectId: project.project_id, sha: headOf(context.fields), ...(number && { number }) };
  return async (store) => ((await repeatChecks(store, head)).length > 0 ? undefined : 'it has not ended');
};

const ofChecks = {
  handle: { completed, rerequested },
  isWanted: (database: Database, fields: CheckFields) =>
    fields.action === 'rerequested' ? mayBeChecked(database, fields) : mayConcernHead(database, fields, headOf(fields)),
};

export const checkRun = defineEvent({
  name: 'check_run',
  fields: { repository, check_run: z.object({ head_sha: z.string(), external_id: z.string().nullish() }) },
  ...ofChecks,
});

export const checkSuite = defineEvent({
  name: 'check_suite',
  fields: { repository, check_suite: z.object({ head_sha: z.string() }) },
  ...ofChecks,
});

/** GitHub sends it for a commit, without an action. */
export const status = defineEvent({
  name: 'status',
  fields: {
    repository,
    sha: z.string(),
    state: z.string(),
    context: z.string(),
    target_url: z.string().nullish(),
  },
  handle: async (context) => {
    const { fields } = context;
    const { sha, state, context: name, target_url: url } = fields;
    const note = noteHead(context, sha);
    if (state !== 'success' || !url || !isOfPreview({ context: name, url })) return note;
    const show = notePreviewOf(fields, { sha, url });
    return async (store) => {
      const shown = await show(store);
      return (await note(store)) === undefined ? undefined : shown;
    };
  },
  findDropReason: ({ state }) => (state === 'pending' ? 'not finished' : undefined),
  isWanted: (database, fields) => mayConcernHead(database, fields, fields.sha),
});

/** Read the Docs names its project: https://docs.readthedocs.com/platform/stable/pull-requests.html */
const namesPreview = /preview|deploy|readthedocs/i;
/** They show how something was built, not what: a job named "deploy-docs" of CircleCI links there. */
const builders =
  `app.netlify.com appveyor.com buildkite.com circleci.com cirrus-ci.com codefresh.io dash.cloudflare.com dev.azure.com
  github.com semaphoreci.com travis-ci.com travis-ci.org vercel.com visualstudio.com`.split(/\s+/);

/** Whether a successful status leads to what it made of the documentation. */
export function isOfPreview({ context, url }: { context: string; url: string }): boolean {
  const host = URL.parse(url)?.host ?? '';
  const isOfBuild = builders.some((name) => host === name || host.endsWith(`.${name}`));
  return namesPreview.test(context) && !isOfBuild;
}

export const deploymentStatus = defineEvent({
  name: 'deployment_status',
  fields: {
    repository,
    deployment: z.object({ sha: z.string() }),
    deployment_status: z.object({ state: z.string(), environment_url: z.string().nullish() }),
  },
  handle: {
    created: async ({ fields }) =>
      notePreviewOf(fields, { sha: fields.deployment.sha, url: fields.deployment_status.environment_url ?? null }),
  },
  findDropReason: ({ deployment_status: { state, environment_url: url } }) =>
    state === 'success' && url ? undefined : 'nothing to see',
  isWanted: (database, fields) => mayConcernHead(database, fields, fields.deployment.sha),
});

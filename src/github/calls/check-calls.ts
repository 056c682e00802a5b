import { z } from 'zod';
import type { CallContext } from '../client/call-context.ts';
import { readIfFound, readList } from '../client/reads.ts';

/** A check run of any App: https://docs.github.com/en/rest/checks/runs */
const checkRunSchema = z
  .object({
    id: z.number(),
    name: z.string(),
    head_sha: z.string(),
    external_id: z.string().nullish(),
    status: z.string(),
    conclusion: z.string().nullish(),
    started_at: z.coerce.date().nullish(),
    details_url: z.string().nullish(),
    html_url: z.string().nullish(),
    app: z.object({ id: z.number(), slug: z.string().nullish() }).nullish(),
    check_suite: z.object({ id: z.number() }).nullish(),
    output: z.object({
      title: z.string().nullish(),
      summary: z.string().nullish(),
      text: z.string().nullish(),
      annotations_count: z.number(),
    }),
  })
  .transform((run) => ({
    checkRunId: run.id,
    name: run.name,
    sha: run.head_sha,
    externalId: run.external_id ?? '',
    isFinished: run.status === 'completed',
    conclusion: run.conclusion ?? null,
    startedAt: run.started_at ?? null,
    /** Where the App shows it. */
    url: run.details_url ?? run.html_url ?? null,
    appId: run.app?.id ?? null,
    appSlug: run.app?.slug ?? null,
    suiteId: run.check_suite?.id ?? null,
    title: run.output.title ?? '',
    summary: run.output.summary ?? '',
    text: run.output.text ?? '',
    annotations: run.output.annotations_count,
  }));

export type CheckRun = z.output<typeof checkRunSchema>;

const statusSchema = z
  .object({
    context: z.string(),
    state: z.string(),
    description: z.string().nullish(),
    target_url: z.string().nullish(),
  })
  .transform(({ context, state, description, target_url: url }) => ({
    context,
    state,
    description: description ?? '',
    url: url ?? null,
  }));

export type CommitStatus = z.output<typeof statusSchema>;

/** https://docs.github.com/en/rest/actions/workflow-runs */
const workflowRunSchema = z
  .object({ check_suite_id: z.number().nullish(), workflow_id: z.number(), event: z.string() })
  .transform(({ check_suite_id: suiteId, workflow_id: workflowId, event }) => ({ suiteId, workflowId, event }));

export type WorkflowRun = z.output<typeof workflowRunSchema>;

const annotationSchema = z
  .object({
    path: z.string(),
    start_line: z.number(),
    annotation_level: z.string().nullish(),
    title: z.string().nullish(),
    message: z.string().nullish(),
  })
  .transform(({ path, start_line: line, annotation_level: level, title, message }) => ({
    path,
    line,
    level: level ?? 'notice',
    title: title ?? '',
    message: message ?? '',
  }));

export type CheckAnnotation = z.output<typeof annotationSchema>;

/** An annotation of ours. */
export interface NewAnnotation {
  path: string;
  line: number;
  level: 'failure' | 'warning';
  title: string;
  message: string;
}

export interface CheckOutput {
  title: string;
  summary: string;
  annotations: readonly NewAnnotation[];
}

/** GitHub takes no more in a request: https://docs.github.com/en/rest/checks/runs#create-a-check-run */
export const annotationsPerRequest = 50;

const perPage = 100;
const maxLogBytes = 64 * 1024 ** 2;
const keptLogBytes = 512 * 1024;

export function createCheckCalls({ connection, owner, repo, name, appId }: CallContext) {
  return {
    /** The newest run of each check in each suite of a commit or `heads/branch`. */
    listCheckRuns: (ref: string): Promise<CheckRun[]> =>
      readList(
        connection,
        { what: `list the checks of ${ref} in ${name}`, item: checkRunSchema, key: 'check_runs' },
        ({ rest }, page) => rest.checks.listForRef({ owner, repo, ref, ...page }),
      ),

    /** The newest status of each context of a commit or `heads/branch`. */
    listStatuses: (ref: string): Promise<CommitStatus[]> =>
      readList(
        connection,
        { what: `list the statuses of ${ref} in ${name}`, item: statusSchema, key: 'statuses' },
        ({ rest }, page) => rest.repos.getCombinedStatusForRef({ owner, repo, ref, ...page }),
      ),

    /** The runs of workflows of GitHub Actions, each with its check suite. */
    listWorkflowRuns(sha: string): Promise<WorkflowRun[]> {
      const list = {
        what: `list the workflow runs of ${sha} in ${name}`,
        item: workflowRunSchema,
        key: 'workflow_runs',
      };
      return readList(connection, list, ({ rest }, page) =>
        rest.actions.listWorkflowRunsForRepo({ owner, repo, head_sha: sha, ...page }),
      );
    },

    /** The first 100. */
    async listAnnotations(checkRunId: number): Promise<CheckAnnotation[]> {
      return connection.read(`list the annotations of check run ${checkRunId} in ${name}`, async ({ rest }) => {
        const asked = { owner, repo, check_run_id: checkRunId, per_page: perPage };
        return z.array(annotationSchema).parse((await rest.checks.listAnnotations(asked)).data);
      });
    },

    /** The end of the log of a job of GitHub Actions, in whole lines. Undefined: there is none any more, or it is too long to read. */
    fetchJobLog: (jobId: number): Promise<string | undefined> =>
      readIfFound(connection, `read the log of job ${jobId} in ${name}`, async (octokit) => {
        const job = { owner, repo, job_id: jobId, request: { parseSuccessResponseBody: false } };
        return readEnd((await octokit.request('GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs', job)).data);
      }),

    /** Our own check run of a commit with this id. */
    async findOwnCheckRun(sha: string, { name: check, externalId }: { name: string; externalId: string }) {
      return connection.read<CheckRun | undefined>(`look for our check of ${sha} in ${name}`, async ({ rest }) => {
        const ours = { check_name: check, app_id: appId, filter: 'all', per_page: perPage } as const;
        const { data } = await rest.checks.listForRef({ owner, repo, ref: sha, ...ours });
        const runs = z.array(checkRunSchema).parse(data.check_runs);
        return runs.find((run) => run.externalId === externalId);
      });
    },

    /** Without a conclusion it is in progress. */
    async createCheckRun(check: {
      name: string;
      sha: string;
      externalId: string;
      conclusion: Conclusion | undefined;
      output: CheckOutput;
    }): Promise<number> {
      return connection.write(`add a check to ${check.sha} of ${name}`, async ({ rest }) => {
        const { data } = await rest.checks.create({
          owner,
          repo,
          name: check.name,
          head_sha: check.sha,
          external_id: check.externalId,
          ...toState(check.conclusion),
          output: toOutput(check.output),
        });
        return checkRunSchema.parse(data).checkRunId;
      });
    },

    /** Adds the annotations to those that the check run has. */
    async updateCheckRun(
      checkRunId: number,
      { conclusion, output }: { conclusion: Conclusion | undefined; output: CheckOutput },
    ): Promise<void> {
      await connection.write(`update check run ${checkRunId} of ${name}`, async ({ rest }) => {
        const change = { owner, repo, check_run_id: checkRunId, ...toState(conclusion), output: toOutput(output) };
        await rest.checks.update(change);
      });
    },
  };
}

export type Conclusion = 'success' | 'failure' | 'neutral' | 'skipped';

const toState = (conclusion: Conclusion | undefined) =>
  conclusion === undefined ? ({ status: 'in_progress' } as const) : ({ status: 'completed', conclusion } as const);

const toOutput = ({ title, summary, annotations }: CheckOutput) => ({
  title,
  summary,
  annotations: annotations.map(({ path, line, level, title: heading, message }) => ({
    path,
    start_line: line,
    end_line: line,
    annotation_level: level,
    title: heading,
    message,
  })),
});

/** Octokit types the answer as the redirect, which fetch has followed. */
async function readEnd(body: unknown): Promise<string | undefined> {
  if (!(body instanceof ReadableStream)) return undefined;
  const chunks: Buffer[] = [];
  let [read, kept] = [0, 0];
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk);
    read += bytes.length;
    if (read > maxLogBytes) return undefined;
    chunks.push(bytes);
    kept += bytes.length;
    while (kept - (chunks[0]?.length ?? 0) >= keptLogBytes) kept -= chunks.shift()?.length ?? 0;
  }
  const end = Buffer.concat(chunks).subarray(-keptLogBytes);
  return end.subarray(read > end.length ? end.indexOf('\n') + 1 : 0).toString('utf8');
}

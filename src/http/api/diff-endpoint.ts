import { z } from 'zod';
import type { Diff } from '../../diffs/format-diff.ts';
import { formatDiff } from '../../diffs/format-diff.ts';
import { fileStatuses } from '../../file-diff.ts';
import { findProject } from '../../store/tables/repositories/projects.ts';
import { describeResponse } from './description/responses.ts';
import { component, countSchema, textOrNull } from './description/shared-schemas.ts';
import type { Endpoint } from './endpoint.ts';
import { readRequestedJob } from './jobs/job-resource.ts';
import { type JsonReply, prefersType, resourceNotFound, type TextReply } from './requests/project-route.ts';
import { fetchInTime, repositoryGone } from './requests/refusal.ts';

const fileSchema = component('FileDiff', {
  path: z.string().meta({ example: 'docs/limits.md' }),
  previousPath: textOrNull('`null` unless the file was renamed.', null),
  status: z.enum(fileStatuses),
  additions: countSchema,
  deletions: countSchema,
  patch: textOrNull(
    'The hunks. `null`: binary, without a change of content, or left out because it is long.',
    '@@ -3 +3 @@\n-60 requests per minute.\n+100 requests per minute.',
  ),
});

const diffSchema = component('Diff', {
  files: z.array(fileSchema),
  truncated: z.boolean().meta({ description: 'Whether patches or files are left out.', example: false }),
});

const truncatedHeader = z
  .enum(['true', 'false'])
  .meta({ description: 'Whether patches or files are left out.', example: 'false' });
const described = describeResponse('The change of the pull request against its merge base.', diffSchema, {
  'Pagewright-Truncated': truncatedHeader,
});
const example = formatDiff([
  {
    path: 'docs/limits.md',
    previousPath: null,
    status: 'modified',
    additions: 1,
    deletions: 1,
    patch: '@@ -3 +3 @@\n-60 requests per minute.\n+100 requests per minute.',
  },
]);

export const diffEndpoint: Endpoint = {
  method: 'get',
  path: '/job/{jobId}/diff',
  operationId: 'getDiff',
  summary: 'Get the change of a job',
  description:
    'What the pull request changes so far, as text, or as JSON with `Accept: application/json`. Empty before there is a pull request. The answer has at most 2 MB: beyond that, Pagewright leaves out patches, then files.',
  answers: { 200: { ...described, content: { 'text/x-diff': { schema: z.string(), example }, ...described.content } } },
  problems: ['repository-gone', 'github-refused'],
  handle: async (call, { readDiff }) => {
    const { job, project } = await call.withDeadline(async (storeInTime) => ({
      job: await readRequestedJob(storeInTime, call),
      project: await findProject(storeInTime.database, call.projectId),
    }));
    if (!project) throw resourceNotFound();
    if (project.removed_at && job.pull_request_number !== null) throw repositoryGone();
    const diff = await fetchInTime(call, (signal) => readDiff({ project, job, signal }));
    return prefersType(call.request, 'application/json', 'text/x-diff') ? toJson(diff) : toText(diff);
  },
};

const headersOf = ({ truncated }: Diff) => ({ Vary: 'Accept', 'Pagewright-Truncated': String(truncated) });

const toJson = (diff: Diff): JsonReply => ({ status: 200, headers: headersOf(diff), body: diff });

const toText = (diff: Diff): TextReply => ({
  status: 200,
  headers: headersOf(diff),
  contentType: 'text/x-diff; charset=utf-8',
  text: formatDiff(diff.files),
});

import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import packageJson from '../../../../package.json' with { type: 'json' };
import { imageTypes, maxImageBytes, maxImages } from '../../../context/images/image.ts';
import { jobStatuses } from '../../../store/tables/columns.ts';

export interface OperationInput {
  params?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  /** As JSON. */
  body?: object;
  idempotencyKey?: string | undefined;
  /** Instead of JSON. */
  accept?: string;
}

/** The body of an answer. */
interface ApiAnswer {
  isRefused: boolean;
  text: string;
}

/** Carries out an operation of the API's description by its `operationId`. */
export type CallApi = (operationId: string, input?: OperationInput) => Promise<ApiAnswer>;

interface McpParts {
  callApi: CallApi;
  /** `owner/repo` of the project. */
  repository: string;
  /** Makes an instruction safe to repeat. Undefined: nothing tells a repetition from a new one. */
  repetitionKey: string | undefined;
  /** Waits before the next look at a job. Rejects when the client has left. */
  pause: () => Promise<void>;
}

const reads = { readOnlyHint: true, openWorldHint: false };
const writes = { readOnlyHint: false, destructiveHint: false, openWorldHint: true };

const longestWaitSeconds = 60;
/** Proxies give up after 60 s without a byte. */
const usualWaitSeconds = 50;

const jobId = z.string().describe('The id of the job, job_…');
const prompt = z.string().describe('The instruction in plain words, at most 32,000 characters.');
const images = z
  .array(z.object({ mediaType: z.enum(imageTypes), data: z.string().describe('The image in base64.') }))
  .optional()
  .describe(
    `Images that belong to the instruction, at most ${maxImages} of ${maxImageBytes / 1024 / 1024} MiB. Refused if the models of the service see no images.`,
  );
const requestId = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/, 'must have 1 to 200 visible ASCII characters')
  .optional()
  .describe('A new random id for each new request. A repetition with the same id gets the first answer again.');

/** The tools for one request of a client. Each calls the API, so that it answers and refuses as the API does. */
export function createMcpServer({ callApi, repository, repetitionKey, pause }: McpParts): McpServer {
  const server = new McpServer(
    { name: 'pagewright', title: 'Pagewright', version: packageJson.version },
    {
      instructions: `Pagewright changes the documentation in ${repository} by pull request. Send an instruction with create_job, wait for it with wait_for_job, and send corrections to the same job with send_message. People merge the pull request.`,
    },
  );
  const accept = (operationId: string, id: string | undefined, input: OperationInput) =>
    callApi(operationId, { ...input, idempotencyKey: id === undefined ? repetitionKey : `mcp-${id}` });

  server.registerTool(
    'create_job',
    {
      title: 'Create a job',
      description:
        'Asks Pagewright to change the documentation. It works in the background and opens a pull request. One job for one subject.',
      inputSchema: {
        prompt,
        images,
        ref: z.string().optional().describe('The branch to start from, and the target of the pull request.'),
        draft: z.boolean().optional().describe('Whether to open the pull request as a draft.'),
        model: z.string().optional().describe('The model to use, if the service offers several.'),
        request_id: requestId,
      },
      annotations: writes,
    },
    async ({ request_id, ...body }) => toResult(await accept('createJob', request_id, { body })),
  );
  server.registerTool(
    'send_message',
    {
      title: 'Send a follow-up',
      description:
        'Sends a correction, an addition or a question to a job. Pagewright answers with a commit on the same pull request, or with a text.',
      inputSchema: { job_id: jobId, prompt, images, request_id: requestId },
      annotations: writes,
    },
    async ({ job_id, request_id, ...body }) =>
      toResult(await accept('addMessage', request_id, { params: { jobId: job_id }, body })),
  );
  server.registerTool(
    'get_job',
    {
      title: 'Get a job',
      description:
        'The status of a job (active, completed, failed, archived), the link to its pull request, and its newest run: what it did, or why it failed.',
      inputSchema: { job_id: jobId },
      annotations: reads,
    },
    async ({ job_id }) => toResult(await readJobWithRun(callApi, job_id)),
  );
  server.registerTool(
    'wait_for_job',
    {
      title: 'Wait for a job',
      description: `Waits until a job is no longer active, at most ${longestWaitSeconds} seconds, and returns it as get_job does. A job takes minutes: call it again while the status is active.`,
      inputSchema: {
        job_id: jobId,
        seconds: z.int().min(1).max(longestWaitSeconds).default(usualWaitSeconds).describe('The longest wait.'),
      },
      annotations: reads,
    },
    async ({ job_id, seconds }) =>
      toResult(await waitForJob(callApi, job_id, { deadline: Date.now() + seconds * 1000, pause })),
  );
  server.registerTool(
    'list_jobs',
    {
      title: 'List jobs',
      description: 'The jobs of the project, newest first.',
      inputSchema: {
        status: z.array(z.enum(jobStatuses)).optional().describe('Only jobs with one of these statuses.'),
        pull_request: z.int().min(1).optional().describe('Only the job of the pull request with this number.'),
        limit: z.int().min(1).max(100).default(20),
        cursor: z.string().optional().describe('The nextCursor of the page before, with the same filters.'),
      },
      annotations: reads,
    },
    async ({ status, pull_request, limit, cursor }) =>
      toResult(
        await callApi('listJobs', { query: { status: status?.join(','), pullRequest: pull_request, limit, cursor } }),
      ),
  );
  server.registerTool(
    'get_diff',
    {
      title: 'Get the change',
      description: 'What the pull request of a job changes, as a unified diff. Empty before there is a pull request.',
      inputSchema: { job_id: jobId },
      annotations: reads,
    },
    async ({ job_id }) => toResult(await callApi('getDiff', { params: { jobId: job_id }, accept: 'text/x-diff' })),
  );
  server.registerTool(
    'cancel_job',
    {
      title: 'Cancel a job',
      description: 'Stops the current run of a job and drops its waiting messages. The pull request stays as it is.',
      inputSchema: { job_id: jobId },
      annotations: { ...writes, destructiveHint: true, idempotentHint: true },
    },
    async ({ job_id }) => toResult(await callApi('cancelJob', { params: { jobId: job_id } })),
  );
  server.registerTool(
    'list_automations',
    {
      title: 'List automations',
      description:
        'The standing instructions in the settings of the repository: what starts each, whether it is active, when it runs next, and what its last run did.',
      annotations: reads,
    },
    async () => toResult(await callApi('listAutomations')),
  );
  server.registerTool(
    'run_automation',
    {
      title: 'Run an automation',
      description:
        'Starts an automation now, or adds to its open job. Documents what waits, or the named pull request. Returns the job: use wait_for_job.',
      inputSchema: {
        name: z.string().describe('The name of the automation.'),
        pull_request: z.string().optional().describe('A pull request to document, as owner/name#number.'),
        request_id: requestId,
      },
      annotations: writes,
    },
    async ({ name, pull_request, request_id }) => {
      const body = pull_request === undefined ? {} : { pullRequest: pull_request };
      return toResult(await accept('runAutomation', request_id, { params: { name }, body }));
    },
  );
  return server;
}

const toResult = ({ isRefused, text }: ApiAnswer) => ({
  content: [{ type: 'text' as const, text }],
  ...(isRefused ? { isError: true } : {}),
});

const jobShape = z.looseObject({ status: z.string() });
const runsShape = z.object({
  runs: z.array(
    z.object({
      number: z.number(),
      status: z.string(),
      code: z.string().nullable(),
      sentence: z.string().nullable(),
      summary: z.string().nullable(),
      waitsFor: z.string().nullable(),
      warnings: z.array(z.string()),
    }),
  ),
});

/** The job, with its newest run in short as `run`. */
async function readJobWithRun(callApi: CallApi, jobId: string): Promise<ApiAnswer> {
  const answer = await callApi('getJob', { params: { jobId } });
  if (answer.isRefused) return answer;
  const listed = await callApi('listRuns', { params: { jobId }, query: { limit: 1 } });
  if (listed.isRefused) return listed;
  const [run = null] = runsShape.parse(JSON.parse(listed.text)).runs;
  return { isRefused: false, text: JSON.stringify({ ...jobShape.parse(JSON.parse(answer.text)), run }) };
}

/** Reads the job when it is no longer active, or at `deadline`, in milliseconds as of `Date.now`. */
async function waitForJob(
  callApi: CallApi,
  jobId: string,
  { deadline, pause }: { deadline: number; pause: () => Promise<void> },
): Promise<ApiAnswer> {
  for (;;) {
    const answer = await callApi('getJob', { params: { jobId } });
    if (answer.isRefused) return answer;
    const isActive = jobShape.parse(JSON.parse(answer.text)).status === 'active';
    if (!isActive || Date.now() >= deadline) return readJobWithRun(callApi, jobId);
    await pause();
  }
}

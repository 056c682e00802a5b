import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { components } from './schemas.ts';

type Schemas = components['schemas'];
export type Job = Schemas['Job'];
export type JobEvent = Schemas['Event'];
export type Run = Schemas['Run'];
export type Problem = Schemas['Problem'];
export type CreateJob = Schemas['CreateJob'];
export type AddMessage = Schemas['AddMessage'];
export type Diff = Schemas['Diff'];
export { WebhookVerificationError };

/** What Pagewright sends to a webhook. `webhook.test` has no job. */
export type WebhookEvent =
  | {
      type: 'job.completed' | 'job.failed' | 'job.archived' | 'message.answered' | 'automation.unchanged';
      timestamp: string;
      data: { job: Job; run: Run | null };
    }
  | { type: 'webhook.test'; timestamp: string; data: { webhook: { id: string; url: string } } };

/** Pagewright refused a request. `problem.detail` says what to do; `problem.type` never changes. */
export class PagewrightError extends Error {
  override readonly name = 'PagewrightError';
  readonly status: number;
  readonly problem: Partial<Problem>;

  constructor(status: number, problem: Partial<Problem>) {
    super(problem.detail ?? `Pagewright answered with status ${status}`);
    this.status = status;
    this.problem = problem;
  }
}

export interface ClientOptions {
  /** The address of the service. Default: `PAGEWRIGHT_URL`. */
  url?: string | undefined;
  /** The id of the project. Default: `PAGEWRIGHT_PROJECT`. */
  project?: string | undefined;
  /** An API key of the project. Default: `PAGEWRIGHT_KEY`. */
  key?: string | undefined;
  /** How long a request is repeated while the service cannot answer. Default: five minutes. */
  retryForMs?: number;
  /** The pause between two looks at a job. Default: two seconds. */
  pollEveryMs?: number;
}

/** `idempotencyKey`: a request with the key of an earlier one returns its answer. Default: a new key. */
interface SendOptions {
  idempotencyKey?: string;
  signal?: AbortSignal;
}

export type Client = ReturnType<typeof createClient>;

/**
 * Sends instructions to one project. Every request is repeated while the connection fails or the answer is 408, 429 or 5xx, which is safe:
 * requests that create something have an `Idempotency-Key`. Throws `PagewrightError` for any other refusal, and the signal's reason.
 */
export function createClient({
  url = process.env.PAGEWRIGHT_URL,
  project = process.env.PAGEWRIGHT_PROJECT,
  key = process.env.PAGEWRIGHT_KEY,
  retryForMs = 300_000,
  pollEveryMs = 2_000,
}: ClientOptions = {}) {
  for (const [name, value] of Object.entries({ url, project, key }))
    if (!value) throw new TypeError(`${name} is missing: pass it, or set PAGEWRIGHT_${name.toUpperCase()}`);
  const jobs = `${url?.replace(/\/+$/, '')}/v2/agent/${project}/job`;

  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    const signal = init.signal ?? undefined;
    const endsAt = Date.now() + retryForMs;
    for (let waitMs = 500; ; waitMs = Math.min(2 * waitMs, 30_000)) {
      const answer = await fetch(`${jobs}${path}`, {
        ...init,
        headers: { accept: 'application/json', ...init.headers, authorization: `Bearer ${key}` },
      }).catch((error: unknown) => {
        signal?.throwIfAborted();
        if (Date.now() + waitMs > endsAt) throw new Error(`could not reach Pagewright at ${url}`, { cause: error });
      });
      if (answer?.ok) return answer;
      const pauseMs = Math.max(waitMs, Number(answer?.headers.get('retry-after') ?? 0) * 1_000);
      const isTemporary = !answer || answer.status === 408 || answer.status === 429 || answer.status >= 500;
      if (answer && (!isTemporary || Date.now() + pauseMs > endsAt))
        throw new PagewrightError(answer.status, await readProblem(answer));
      await answer?.body?.cancel();
      await pause(pauseMs, signal);
    }
  }
  const read = async <T>(path: string, signal?: AbortSignal): Promise<T> =>
    (await request(path, { signal: signal ?? null })).json() as Promise<T>;
  const send = async <T>(path: string, body?: object, { idempotencyKey, signal }: SendOptions = {}): Promise<T> =>
    (
      await request(path, {
        method: 'POST',
        signal: signal ?? null,
        headers: body ? { 'content-type': 'application/json', 'idempotency-key': idempotencyKey ?? randomUUID() } : {},
        ...(body && { body: JSON.stringify(body) }),
      })
    ).json() as Promise<T>;

  const getJob = (jobId: string, signal?: AbortSignal) => read<Job>(`/${jobId}`, signal);

  return {
    createJob: (job: CreateJob, options?: SendOptions) => send<Job>('', job, options),
    getJob,
    /** The newest first; `cursor` is `nextCursor` of the page before, `status` a list such as `completed,failed`. */
    listJobs: (
      query: { status?: string; limit?: string; cursor?: string; automation?: string } = {},
      signal?: AbortSignal,
    ) => read<{ jobs: Job[]; nextCursor: string | null }>(`?${new URLSearchParams(query)}`, signal),
    /** Sends a follow-up. */
    sendMessage: (jobId: string, message: AddMessage, options?: SendOptions) =>
      send<Job>(`/${jobId}/message`, message, options),
    cancelJob: (jobId: string, signal?: AbortSignal) =>
      send<Job>(`/${jobId}/cancel`, undefined, { ...(signal && { signal }) }),
    getDiff: (jobId: string, signal?: AbortSignal) => read<Diff>(`/${jobId}/diff`, signal),
    /** The runs of a job: `code` says why one failed. */
    listRuns: async (jobId: string, signal?: AbortSignal) =>
      (await read<{ runs: Run[] }>(`/${jobId}/runs`, signal)).runs,

    /** Returns the job once it is no longer `active`. */
    async waitForJob(jobId: string, signal?: AbortSignal): Promise<Job> {
      for (;;) {
        const job = await getJob(jobId, signal);
        if (job.status !== 'active') return job;
        await pause(pollEveryMs, signal);
      }
    },

    /** Every event after number `after`, once and in order, over cut connections, until the caller stops reading. */
    async *followJob(
      jobId: string,
      { after = 0, signal }: { after?: number; signal?: AbortSignal } = {},
    ): AsyncGenerator<JobEvent> {
      for (let last = after; ; await pause(pollEveryMs, signal)) {
        const { body } = await request(`/${jobId}/events`, {
          headers: { accept: 'text/event-stream', 'last-event-id': String(last) },
          signal: signal ?? null,
        });
        try {
          const frames = body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
          for await (const { data } of frames ?? []) {
            const event = JSON.parse(data) as JobEvent;
            last = event.seq;
            yield event;
          }
        } catch (error) {
          // The connection was cut; any other error is the reader's own.
          if (!(error instanceof TypeError)) throw error;
        }
      }
    },
  };
}

/** Returns what a webhook says. Throws `WebhookVerificationError` unless the raw body was signed with the secret in the last five minutes. */
export function verifyWebhook(
  secret: string,
  body: string | Buffer,
  headers: Record<string, string | string[] | undefined>,
): WebhookEvent {
  const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  return new Webhook(secret).verify(body, plain) as WebhookEvent;
}

/** Rejects with the signal's reason. */
const pause = (ms: number, signal?: AbortSignal) =>
  delay(ms, undefined, { signal }).catch(() => signal?.throwIfAborted());

async function readProblem(answer: Response): Promise<Partial<Problem>> {
  try {
    return (await answer.json()) as Partial<Problem>;
  } catch {
    return {};
  }
}

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { eventually } from './eventually.ts';

const jobSchema = z.object({
  id: z.string(),
  status: z.string(),
  source: z.object({ repository: z.string(), ref: z.string() }),
  prLink: z.string().nullable(),
});
const runsSchema = z.looseObject({ runs: z.array(z.unknown()) });
export type WireJob = z.infer<typeof jobSchema>;

/** What is sent again after a 503 may have been accepted: the answer got lost, or was late. */
const once = (key: string = randomUUID()) => ({ 'idempotency-key': key });

export type Caller = ReturnType<typeof createCaller>;

/** An API client of one project. Retries a 503 for five seconds: a busy machine's database may not answer in time. */
export function createCaller({
  url,
  project,
  everyMs,
}: {
  url: string;
  project: { projectId: string; key: string };
  /** How often a waiting call polls. Default: as `eventually`. */
  everyMs?: number;
}) {
  const base = `${url}/v2/agent/${project.projectId}/job`;
  async function call(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
    retries = 10,
  ): Promise<unknown> {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { authorization: `Bearer ${project.key}`, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (response.status === 503 && retries > 0) {
      await delay(500);
      return call(method, path, body, headers, retries - 1);
    }
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }
  const job = async (answer: Promise<unknown>) => jobSchema.parse(await answer);
  const caller = {
    call,
    create: (prompt: string, more: object = {}) => job(call('POST', '', { prompt, ...more }, once())),
    /** One job for each key, however often it is called. */
    createOnce: (prompt: string, key: string) => job(call('POST', '', { prompt }, once(key))),
    message: (jobId: string, prompt: string) => job(call('POST', `/${jobId}/message`, { prompt }, once())),
    cancel: (jobId: string) => job(call('POST', `/${jobId}/cancel`)),
    archive: (jobId: string) => job(call('POST', `/${jobId}/archive`)),
    get: (jobId: string) => job(call('GET', `/${jobId}`)),
    /** The newest 100, oldest first. */
    async runs(jobId: string) {
      const page = runsSchema.parse(await call('GET', `/${jobId}/runs?limit=100`));
      return { ...page, runs: page.runs.toReversed() };
    },
    /** Resolves when the job is no longer active. */
    settled: (jobId: string) => caller.until(jobId, ({ status }) => status !== 'active'),
    until: (jobId: string, isReached: (job: WireJob) => boolean) =>
      eventually(
        async () => {
          const current = await caller.get(jobId);
          return isReached(current) ? current : undefined;
        },
        { what: `job ${jobId}`, everyMs },
      ),
  };
  return caller;
}

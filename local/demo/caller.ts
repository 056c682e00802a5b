import { setTimeout as delay } from 'node:timers/promises';
import { DemoFailure } from './demo-failure.ts';
import { print } from './print.ts';

/** A job as the API shows it. */
export interface ShownJob {
  id: string;
  status: string;
  source: { repository: string; ref: string };
  prLink: string | null;
}

/** A program that calls the API, and shows how. What it waits for ends with `signal`, whose reason it then throws. */
export function createCaller({
  url,
  projectId,
  key,
  signal,
}: {
  url: string;
  projectId: string;
  key: string;
  signal: AbortSignal;
}) {
  const base = `${url}/v2/agent/${projectId}/job`;

  async function call<Answer>(
    method: string,
    path: string,
    { body, isShown = true }: { body?: object; isShown?: boolean } = {},
  ) {
    if (isShown) print.request(method, base + path, body);
    const response = await fetch(base + path, {
      method,
      signal,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Answer;
    if (!response.ok)
      throw new Error(`${method} ${base + path} answered ${response.status}: ${JSON.stringify(answer)}`);
    if (isShown) print.json(answer);
    return answer;
  }

  return {
    createJob: (prompt: string) => call<ShownJob>('POST', '', { body: { prompt } }),
    sendMessage: (jobId: string, prompt: string) => call<ShownJob>('POST', `/${jobId}/message`, { body: { prompt } }),
    getRuns: (jobId: string) =>
      call<{ runs: { sentence: string | null }[] }>('GET', `/${jobId}/runs`, { isShown: false }),
    /** Asks again and again, shows each status once, and returns the job when it has one of these. */
    async follow(jobId: string, statuses: string[], withinMs = 600_000): Promise<ShownJob> {
      print.request('GET', `${base}/${jobId}`);
      let shown = '';
      for (const deadline = Date.now() + withinMs; Date.now() < deadline; await delay(100, undefined, { signal })) {
        const job = await call<ShownJob>('GET', `/${jobId}`, { isShown: false });
        if (job.status !== shown) print.line(`  status: ${job.status}`);
        shown = job.status;
        if (statuses.includes(job.status)) return job;
      }
      throw new DemoFailure(`job ${jobId} is still ${shown} after ${withinMs / 60_000} minutes`);
    },
  };
}

import { print } from './print.ts';
import { waitFor } from './wait-for.ts';

/** A job as the API shows it. */
export interface ShownJob {
  id: string;
  status: string;
  source: { repository: string; ref: string };
  prLink: string | null;
}

/** The fields of a run that the demo shows. */
export interface ShownRun {
  number: number;
  status: string;
  code: string | null;
  sentence: string | null;
  commit: string | null;
}

/** An API client that prints its requests and answers. Throws the signal's reason on an abort. */
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

  const getRuns = (jobId: string) => call<{ runs: ShownRun[] }>('GET', `/${jobId}/runs`, { isShown: false });

  return {
    createJob: (prompt: string) => call<ShownJob>('POST', '', { body: { prompt } }),
    sendMessage: (jobId: string, prompt: string) => call<ShownJob>('POST', `/${jobId}/message`, { body: { prompt } }),
    getRuns,
    /** Polls the job, prints each status once, and returns the job when it reaches one of these. */
    async follow(jobId: string, statuses: string[], withinMs = 600_000): Promise<ShownJob> {
      print.request('GET', `${base}/${jobId}`);
      let shown = '';
      const look = async () => {
        const job = await call<ShownJob>('GET', `/${jobId}`, { isShown: false });
        if (job.status !== shown) print.line(`  status: ${job.status}`);
        shown = job.status;
        return statuses.includes(job.status) ? job : undefined;
      };
      return waitFor(look, { what: `job ${jobId} becomes ${statuses.join(' or ')}`, withinMs, signal });
    },
    /** Waits until the job's run of that number ends, and prints each of its phases once. */
    async followRun(jobId: string, number: number): Promise<ShownRun> {
      print.request('GET', `${base}/${jobId}/runs`);
      let shown = '';
      const look = async () => {
        const run = (await getRuns(jobId)).runs.find((one) => one.number === number);
        if (run && run.status !== shown)
          print.line(`  run ${number}: ${[run.status, run.code].filter(Boolean).join(', ')}`);
        shown = run?.status ?? '';
        return run?.status === 'ended' ? run : undefined;
      };
      return waitFor(look, { what: `run ${number} of job ${jobId} ends`, signal });
    },
  };
}

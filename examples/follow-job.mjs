// Creates a job and prints what happens until it ends. Runs on Node.js 20 and later: node follow-job.mjs "Fix the typo."
// npm install eventsource-parser
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { EventSourceParserStream } from 'eventsource-parser/stream';

const { PAGEWRIGHT_URL, PAGEWRIGHT_PROJECT, PAGEWRIGHT_KEY } = process.env;
const jobs = `${PAGEWRIGHT_URL}/v2/agent/${PAGEWRIGHT_PROJECT}/job`;
const authorization = `Bearer ${PAGEWRIGHT_KEY}`;
const isTemporary = (status) => status === 429 || status >= 500;

/** The key makes it safe to send the request again when its answer is lost. */
async function createJob(prompt) {
  const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': randomUUID() };
  for (let waitMs = 500; ; waitMs = Math.min(2 * waitMs, 30_000)) {
    const response = await fetch(jobs, { method: 'POST', headers, body: JSON.stringify({ prompt }) }).catch(() => null);
    if (response?.ok) return (await response.json()).id;
    if (response && !isTemporary(response.status)) throw new Error(`${response.status} ${await response.text()}`);
    await delay(waitMs);
  }
}

/** Every event once and in order: after a cut connection, it continues after the last one. */
async function* followJob(jobId) {
  for (let lastEventId = '0'; ; await delay(1_000)) {
    const headers = { authorization, accept: 'text/event-stream', 'last-event-id': lastEventId };
    const response = await fetch(`${jobs}/${jobId}/events`, { headers }).catch(() => null);
    if (response && !response.ok && !isTemporary(response.status))
      throw new Error(`${response.status} ${await response.text()}`);
    if (!response?.ok || !response.body) continue;
    try {
      const frames = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
      for await (const { id, data } of frames) {
        lastEventId = id ?? lastEventId;
        yield JSON.parse(data);
      }
    } catch (error) {
      console.error('the connection was lost:', error instanceof Error ? error.message : error);
    }
  }
}

const jobId = await createJob(process.argv[2] ?? '');
for await (const { seq, type, data } of followJob(jobId)) {
  console.log(seq, type, data.text ?? data.url ?? data.path ?? data.sentence ?? '');
  if (['job.completed', 'job.failed', 'job.archived'].includes(type)) process.exit(type === 'job.completed' ? 0 : 1);
}

import { setTimeout as delay } from 'node:timers/promises';
import { typeid } from 'typeid-js';
import { z } from 'zod';
import { eventually } from '../../harness/eventually.ts';
import { startReceiver } from '../../harness/start-receiver.ts';
import { archiveJob } from '../../src/jobs/archive-job.ts';
import { inTransaction, type Store } from '../../src/store/store.ts';
import { openJob } from '../../src/store/tables/jobs/open-job.ts';
import { describeLatencies, type Figure } from '../figures/figure.ts';
import { openStore } from '../world/open-store.ts';
import { openWorld } from '../world/open-world.ts';
import { leaveIt } from '../world/scripts.ts';

const idleJobs = 60;
const burst = 200;

/** From the commit of a job's end to the POST that its caller receives: one at a time, and many at once. Takes about half a minute. */
export async function benchOutbound(): Promise<Figure[]> {
  await using receiver = await startReceiver();
  const environment = { WEBHOOK_ALLOWED_HOSTS: receiver.host };
  await using world = await openWorld({ script: leaveIt, files: { 'index.md': '# Acme\n' }, environment });
  const { url, projectId, key } = world;
  const response = await fetch(`${url}/v2/agent/${projectId}/webhook`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: receiver.url, events: ['job.archived'] }),
  });
  z.object({ id: z.string() }).parse(await response.json());
  await using store = await openStore(world.connection);

  const measure = async (jobs: number, pause: () => Promise<void>) => {
    const endedAt = new Map<string, number>();
    receiver.posts.length = 0;
    for (let count = 0; count < jobs; count += 1) {
      await pause();
      endedAt.set(await endJob(store, projectId), performance.now());
    }
    await eventually(() => receiver.posts[jobs - 1]);
    return receiver.posts.map(
      ({ at, body }) => at - (endedAt.get(eventShape.parse(JSON.parse(body)).data.job.id) ?? 0),
    );
  };
  // A random moment, so that the end of a job is not in step with a timer of the queue.
  const idle = await measure(idleJobs, () => delay(200 + Math.random() * 1_000));
  const busy = await measure(burst, async () => {});
  return [
    describeLatencies('end of a job to its webhook, idle', idle, { share: 0.99 }),
    describeLatencies(`end of a job to its webhook, ${burst} in a row`, busy, { share: 0.99 }),
  ];
}

const eventShape = z.object({ data: z.object({ job: z.object({ id: z.string() }) }) });

/** The end of a job that no run has begun, so that nothing else happens. */
const endJob = (store: Store, projectId: string): Promise<string> =>
  inTransaction(store, async ({ tx, queue }) => {
    const job = await openJob(tx, {
      job: { job_id: typeid('job').toString(), project_id: projectId, base: 'main', model: 'a-model', draft: false },
      message: { messageId: typeid('msg').toString(), source: 'api', author: 'bench', prompt: 'Leave it' },
      events: [],
    });
    await archiveJob({ tx, queue }, job.job_id, 'requested');
    return job.job_id;
  });

import { Webhook as Verifier } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../../../harness/eventually.ts';
import { edit, finish } from '../../../harness/script-steps.ts';
import { shortTiming } from '../../../harness/short-timing.ts';
import { startReceiver } from '../../../harness/start-receiver.ts';
import { steps } from '../../../local/model/script.ts';
import { jobShape } from '../../support/doors/api.ts';
import { openServedWorld } from '../../support/worlds/served-world.ts';

const eventShape = z.strictObject({
  type: z.string(),
  timestamp: z.iso.datetime({ precision: 3 }),
  data: z.strictObject({
    job: jobShape,
    run: z.looseObject({ id: z.string(), messages: z.array(z.looseObject({ prompt: z.string() })) }),
  }),
});

test('promise 29: a caller is told of an answer, the end and the merge of a job, once each, although a try fails', async () => {
  let isDown = true;
  await using receiver = await startReceiver({ answer: () => ({ status: isDown ? 503 : 200 }) });
  const outbound = { ...shortTiming.outbound, retryDelaysMs: Array.from({ length: 100 }, () => 50), lookEveryMs: 100 };
  await using served = await openServedWorld({
    environment: { WEBHOOK_ALLOWED_HOSTS: receiver.host },
    timing: { ...shortTiming, outbound },
  });
  const { world, service, caller, choices, rita } = served;
  const prompt = 'The limit is 100 requests, not 60.';
  const done = finish('The limit is 100 now.', { title: 'Correct the rate limit', description: 'Says 100.' });
  choices.push({ when: prompt, script: steps([edit('limits.md', '60 requests', '100 requests'), done]) });

  const untilReceived = (type: string) =>
    eventually(() => receiver.posts.find(({ body }) => body.includes(`"type":"${type}"`)), { what: type });
  const response = await fetch(`${service.url}/v2/agent/${world.projectId}/webhook`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: receiver.url }),
  });
  const { secret } = z.object({ secret: z.string() }).parse(await response.json());
  const { id } = await caller.create(prompt);
  const { prLink } = await caller.settled(id);
  await eventually(async () => receiver.posts.length > 1 || undefined);
  isDown = false;
  await untilReceived('job.completed');
  await rita.mergePullRequest(world.repository.fullName, 1);
  await untilReceived('job.archived');

  const received = receiver.posts.map(({ body, headers }) => {
    const verified = new Verifier(secret).verify(body, headers as Record<string, string>);
    return { id: headers['webhook-id'], ...eventShape.parse(verified) };
  });
  const once = [...new Map(received.map((event) => [event.id, event])).values()];
  expect(once.map(({ type, data }) => [type, data.job.status])).toEqual([
    ['message.answered', 'completed'],
    ['job.completed', 'completed'],
    ['job.archived', 'archived'],
  ]);
  expect(once.map(({ data }) => [data.job.id, data.job.prLink])).toEqual(once.map(() => [id, prLink]));
  expect(once[0]?.data.run.messages).toMatchObject([{ prompt, state: 'answered' }]);
  expect(received.length).toBeGreaterThan(once.length);
  expect(service.lines.join('')).not.toContain(secret);
});

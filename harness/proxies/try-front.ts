import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createCaller } from '../caller.ts';
import { openStream } from '../open-stream.ts';
import type { ServiceWorld } from '../start-service.ts';
import { createVisitor } from '../visitor.ts';

export const frontUrl = 'https://pagewright.example.com';

/** Checks that a proxy in front must pass. Each check returns what is wrong, or undefined. */
export const checks: Record<string, (world: ServiceWorld, serviceUrl: string) => Promise<string | undefined>> = {
  async 'a webhook of 20 MB arrives whole'(world) {
    const status = await postWebhook(world, 20_000_000);
    return status === 202 ? undefined : `it answered ${status}`;
  },
  async 'a webhook of 26 MB is refused by the proxy'(world) {
    const status = await postWebhook(world, 26_500_000);
    // Caddy before 2.7 answers 502 if the request to the service breaks first.
    return [413, 502].includes(status) ? undefined : `it answered ${status}`;
  },
  async 'the events of a job come at most 200 ms later than without the proxy'(world, serviceUrl) {
    const caller = createCaller({ url: frontUrl, project: world });
    const { id } = await caller.create('Nothing has to change.');
    await caller.settled(id);
    const path = `/v2/agent/${world.projectId}/job/${id}/events`;
    using direct = await openStream(serviceUrl + path, { key: world.key });
    using proxied = await openStream(frontUrl + path, { key: world.key });
    const countEnds = (events: readonly { type: string }[]) =>
      events.filter(({ type }) => type === 'job.completed').length;
    const untilEnds = (count: number) =>
      Promise.all([direct, proxied].map((stream) => stream.until((events) => countEnds(events) === count)));
    await untilEnds(1);
    const earlier = direct.events.length;
    await caller.message(id, 'Is it so?');
    await untilEnds(2);
    const lateMs = proxied.receivedAt
      .map((at, index) => Math.round(at - (direct.receivedAt[index] ?? at)))
      .slice(earlier);
    const types = proxied.events.map(({ type }) => type).join();
    if (types !== direct.events.map(({ type }) => type).join()) return `the events are ${types}`;
    console.log(`      ${lateMs.length} events, at most ${Math.max(...lateMs)} ms later`);
    return Math.max(...lateMs) <= 200 ? undefined : `up to ${Math.max(...lateMs)} ms later`;
  },
  async 'a stream stays open for longer than the time-out of an idle connection'(world) {
    const caller = createCaller({ url: frontUrl, project: world });
    const { id } = await caller.create('Nothing has to change.');
    await caller.settled(id);
    using stream = await openStream(`${frontUrl}/v2/agent/${world.projectId}/job/${id}/events`, { key: world.key });
    const ended = stream.ended.then(
      () => 'ended',
      () => 'was cut',
    );
    const outcome = await Promise.race([ended, delay(65_000, undefined, { ref: false })]);
    if (outcome) return `the stream ${outcome}`;
    return stream.countComments() >= 3 ? undefined : `${stream.countComments()} lines came in 65 s`;
  },
  async 'a person signs in, with a cookie that only this host gets, and sends a form'({ github, projectId }) {
    const rita = createVisitor({ url: frontUrl, github });
    const { status } = await rita.signIn('rita');
    const names = [...rita.cookies.keys()].join();
    if (status !== 303 || !names.includes('__Host-')) return `the answer is ${status}, the cookies are ${names}`;
    const form = { prompt: 'Nothing has to change.' };
    const created = await rita.post(`/projects/${projectId}/jobs/new`, form);
    if (created.status !== 303) return `the form is answered ${created.status}`;
    const foreign = await rita.post(`/projects/${projectId}/jobs/new`, form, {
      origin: 'https://elsewhere.example',
      'sec-fetch-site': 'cross-site',
    });
    return foreign.status === 403 ? undefined : `a foreign form is answered ${foreign.status}`;
  },
  async 'attempts to sign in count for the address that the proxy saw, whatever the client says'() {
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 40; attempt += 1) {
      const headers = { 'x-forwarded-for': `198.51.100.${attempt}` };
      const response = await fetch(`${frontUrl}/auth/callback?code=x&state=y`, { headers, redirect: 'manual' });
      await response.body?.cancel();
      statuses.push(response.status);
    }
    return statuses.at(-1) === 429 ? undefined : `after 40 attempts it answers ${statuses.at(-1)}`;
  },
  async 'strangers get no metrics, and no local page'() {
    const metrics = await fetch(`${frontUrl}/metrics`);
    const setup = await (await fetch(`${frontUrl}/setup`, { headers: { 'x-forwarded-for': '127.0.0.1' } })).text();
    if (metrics.status !== 404) return `/metrics answers ${metrics.status}`;
    return setup.includes('acme') ? '/setup shows accounts' : undefined;
  },
};

async function postWebhook({ environment }: ServiceWorld, bytes: number): Promise<number> {
  const body = JSON.stringify({ zen: 'x'.repeat(bytes), hook_id: 1 });
  const signature = createHmac('sha256', environment.WEBHOOK_SECRET ?? '')
    .update(body)
    .digest('hex');
  const response = await fetch(`${frontUrl}/api/github/webhooks`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'ping',
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': `sha256=${signature}`,
    },
    body,
  });
  return response.status;
}

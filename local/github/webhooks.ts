import { createHmac, randomUUID } from 'node:crypto';
import { findInstallationOf } from './installations.ts';
import { nodeId, presentAccount, presentRepository } from './json/present.ts';
import { hasPermission } from './permissions.ts';
import type { Installation, SendEvent, World } from './world.ts';

/** One attempt to deliver one event. A redelivery is a new entry with the same `deliveryId`. */
export interface Delivery {
  id: number;
  /** `X-GitHub-Delivery`. */
  deliveryId: string;
  event: string;
  action: string | null;
  installationId: number | null;
  repositoryId: number | null;
  payload: Record<string, unknown>;
  /** The exact bytes that are signed and sent. */
  body: string;
  redelivery: boolean;
  url: string | null;
  at: Date;
  /** `waiting`: held or in the queue; `unsent`: there was no webhook URL; else the HTTP status or why there is none. */
  status: 'waiting' | 'unsent' | 'no answer' | number;
  durationMs: number;
}

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads; events that are not here go to every App. */
const permissionOf: Record<string, string> = {
  pull_request: 'pull_requests',
  pull_request_review: 'pull_requests',
  pull_request_review_comment: 'pull_requests',
  issue_comment: 'issues',
  push: 'contents',
  create: 'contents',
  delete: 'contents',
  repository: 'metadata',
};

/** GitHub gives up on a receiver after ten seconds: https://docs.github.com/en/webhooks/testing-and-troubleshooting-webhooks/troubleshooting-webhooks#timed-out */
const timeoutMs = 10_000;

/** Signs and delivers events to the App's one webhook URL: in order, one at a time, once. */
export function createWebhooks({
  world,
  url,
  secret,
  signal,
}: {
  world: () => World;
  url: string | undefined;
  secret: string;
  signal: AbortSignal;
}) {
  const target = { url, secret, copies: 1, held: false };
  const log: Delivery[] = [];
  const waiting: Delivery[] = [];
  let working: Promise<void> | undefined;

  const send: SendEvent = ({ name, action, repository, installation: given, sender, payload }) => {
    const installation = given ?? (repository && findInstallationOf(world(), repository));
    if (!installation || !isSubscribed(world(), installation, name)) return;
    const whole = {
      ...(action === undefined ? {} : { action }),
      ...payload,
      ...(repository ? { repository: presentRepository(world(), repository) } : {}),
      ...(repository?.owner.type === 'Organization' ? { organization: presentAccount(world(), repository.owner) } : {}),
      ...(given ? {} : { installation: { id: installation.id, node_id: nodeId('MDIz', installation.id) } }),
      sender: presentAccount(world(), sender),
    };
    const body = JSON.stringify(whole);
    enqueue({
      id: world().nextId(),
      deliveryId: randomUUID(),
      event: name,
      action: action ?? null,
      installationId: installation.id,
      repositoryId: repository?.id ?? null,
      payload: JSON.parse(body),
      body,
      redelivery: false,
      url: target.url ?? null,
      at: world().clock(),
      status: 'waiting',
      durationMs: 0,
    });
  };

  function enqueue(delivery: Delivery): void {
    log.push(delivery);
    if (target.url === undefined) {
      delivery.status = 'unsent';
      return;
    }
    waiting.push(delivery);
    if (!target.held) start();
  }

  function start(): void {
    working ??= work().finally(() => {
      working = undefined;
      if (waiting.length > 0 && !target.held && !signal.aborted) start();
    });
  }

  async function work(): Promise<void> {
    while (!target.held && !signal.aborted) {
      const delivery = waiting.shift();
      if (!delivery) return;
      for (let copy = 0; copy < target.copies; copy += 1) await post(delivery);
    }
  }

  async function post(delivery: Delivery): Promise<void> {
    const startedAt = performance.now();
    try {
      const answer = await fetch(target.url ?? '', {
        method: 'POST',
        headers: headersOf(world(), delivery, target.secret),
        body: delivery.body,
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      await answer.arrayBuffer();
      delivery.status = answer.status;
    } catch {
      // A receiver that cannot be reached is an outcome of the delivery; GitHub does not try again either.
      delivery.status = 'no answer';
    }
    delivery.durationMs = performance.now() - startedAt;
    world().log(`webhook ${delivery.event} ${delivery.action ?? ''} ${delivery.deliveryId}: ${delivery.status}`);
  }

  return {
    send,
    /** Every delivery so far, oldest first. */
    log: log as readonly Delivery[],
    setTarget(webhookUrl: string, webhookSecret: string): void {
      Object.assign(target, { url: webhookUrl, secret: webhookSecret });
    },
    /** From now on each delivery is posted this often. */
    setCopies(copies: number): void {
      target.copies = copies;
    },
    hold(): void {
      target.held = true;
    },
    /** Sends what was held, in the order that `arrange` gives it (default: as it happened). */
    release(arrange: (held: Delivery[]) => Delivery[] = (held) => held): void {
      const arranged = arrange([...waiting]);
      waiting.splice(0, waiting.length, ...arranged);
      target.held = false;
      start();
    },
    /** Sends a delivery again with its old `X-GitHub-Delivery`; undefined when the id is unknown. */
    redeliver(id: number): Delivery | undefined {
      const first = log.find((delivery) => delivery.id === id);
      if (!first) return undefined;
      const again: Delivery = {
        ...first,
        id: world().nextId(),
        redelivery: true,
        url: target.url ?? null,
        at: world().clock(),
        status: 'waiting',
      };
      enqueue(again);
      return again;
    },
    /** Resolves when nothing waits to be sent; held deliveries do not count. */
    async settled(): Promise<void> {
      while (working) await working;
    },
  };
}

export type Webhooks = ReturnType<typeof createWebhooks>;

function isSubscribed(world: World, installation: Installation, event: string): boolean {
  const permission = permissionOf[event];
  if (permission === undefined) return true;
  if (installation.suspendedAt) return false;
  return world.app.events.includes(event) && hasPermission(installation.permissions, permission, 'read');
}

const headersOf = (world: World, delivery: Delivery, secret: string): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': 'GitHub-Hookshot/standin',
  'x-github-delivery': delivery.deliveryId,
  'x-github-event': delivery.event,
  'x-github-hook-id': String(world.app.id),
  'x-github-hook-installation-target-id': String(world.app.id),
  'x-github-hook-installation-target-type': 'integration',
  'x-hub-signature': `sha1=${createHmac('sha1', secret).update(delivery.body).digest('hex')}`,
  'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(delivery.body).digest('hex')}`,
});

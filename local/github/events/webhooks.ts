import { randomUUID } from 'node:crypto';
import { nodeId, presentAccount, presentOrganization, presentRepository } from '../json/present.ts';
import { findInstallationOf } from '../state/installations.ts';
import { hasPermission } from '../state/permissions.ts';
import type { Installation, SendEvent, World } from '../state/world.ts';
import { permissionOfEvent } from './event-permissions.ts';
import { type Delivery, postDelivery } from './webhook-delivery.ts';

/** A failure of the next deliveries that match. */
interface Intervention {
  kind: 'drop' | 'fail';
  matches(delivery: Delivery): boolean;
  left: number;
  status: number | 'no answer';
}

/** Signs events and delivers them to the App's webhook URL: in order, one at a time, once. */
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
  const interventions: Intervention[] = [];
  const log: Delivery[] = [];
  const waiting: Delivery[] = [];
  let working: Promise<void> | undefined;

  const send: SendEvent = ({ name, action, repository, installation: eventInstallation, sender, payload }) => {
    if (!world().app) return;
    const installation = eventInstallation ?? (repository && findInstallationOf(repository));
    if (!installation || !isSubscribed(world(), installation, name)) return;
    const whole = {
      ...(action === undefined ? {} : { action }),
      ...payload,
      ...(repository ? { repository: presentRepository(repository) } : {}),
      ...(repository?.owner.type === 'Organization'
        ? { organization: presentOrganization(world(), repository.owner) }
        : {}),
      ...(eventInstallation ? {} : { installation: { id: installation.id, node_id: nodeId('MDIz', installation.id) } }),
      sender: presentAccount(world(), sender),
    };
    const body = JSON.stringify(whole);
    const delivery: Delivery = {
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
    };
    const found = interventions.find(({ left, matches }) => left > 0 && matches(delivery));
    if (!found) return enqueue(delivery);
    found.left -= 1;
    if (found.kind === 'fail') log.push({ ...delivery, status: found.status });
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
      for (let copy = 0; copy < target.copies; copy += 1) {
        await postDelivery(world(), delivery, { url: target.url ?? '', secret: target.secret, signal });
      }
    }
  }

  return {
    send,
    /** Every delivery so far, oldest first. */
    log: log as readonly Delivery[],
    /** Without a URL it sends nothing. */
    setTarget(webhookUrl: string | undefined, webhookSecret: string): void {
      Object.assign(target, { url: webhookUrl, secret: webhookSecret });
    },
    /** Posts each delivery this many times. */
    setCopies(copies: number): void {
      target.copies = copies;
    },
    /** Drops the next events that match; no list of deliveries shows them. */
    drop(matches: Intervention['matches'] = () => true, times = 1): void {
      interventions.push({ kind: 'drop', matches, left: times, status: 'no answer' });
    },
    /** Fails the next events that match, as with a receiver that is down. They can be redelivered. */
    fail(
      matches: Intervention['matches'] = () => true,
      { times = 1, status = 'no answer' }: { times?: number; status?: Intervention['status'] } = {},
    ): void {
      interventions.push({ kind: 'fail', matches, left: times, status });
    },
    hold(): void {
      target.held = true;
    },
    /** Sends the held deliveries, in the order of `arrange` (default: as they happened). */
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
  const permission = permissionOfEvent[event];
  if (permission === undefined) return true;
  if (installation.suspendedAt) return false;
  return world.app?.events.includes(event) === true && hasPermission(installation.permissions, permission, 'read');
}

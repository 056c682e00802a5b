import { createHmac, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { eventually } from '../../../harness/eventually.ts';
import { perRun } from '../../../harness/script-steps.ts';
import type { Script } from '../../../local/model/script.ts';
import { listEffects } from '../../../src/store/tables/jobs/effects.ts';
import { listMessages } from '../../../src/store/tables/jobs/messages.ts';
import { payloadFields } from '../values/payload-fields.ts';
import { oneRun } from './correction.ts';
import { readRuns } from './scenario.ts';
import { openServedWorld } from './served-world.ts';
import type { World } from './world.ts';

/** A script that keeps what the model is given as it begins a run. */
export function listen(script: Script) {
  const heard: string[] = [];
  const listening: Script = (request) => {
    if (request.turn === 0) heard.push(request.messages.map(({ text }) => text).join('\n'));
    return script(request);
  };
  return { heard, listening };
}

type Served = Awaited<ReturnType<typeof openServedWorld>>;

/** Opens conversations on the repository of a served world. */
function createOpen({ world, caller, choices, github }: Pick<Served, 'world' | 'caller' | 'choices' | 'github'>) {
  const { repository } = world;
  const { database } = world.database;

  /** A job and its pull request, on limits.md; the later runs play `later`, one after the other. */
  return async (later: readonly Script[] = []) => {
    const prompt = `Make it 100, for reader ${choices.length + 1}.`;
    choices.push({ when: prompt, script: perRun([oneRun, ...later]) });
    const { id } = await caller.create(prompt);
    const { source, prLink } = await caller.settled(id);
    const number = Number(prLink?.split('/').at(-1));
    const runs = async () => (await readRuns(caller, id)).runs;
    const comments = async () => github.comments(number);
    const untilAnswered = (withinMs = 180_000) =>
      eventually(
        async () => {
          const effects = await listEffects(database, id);
          return effects.every(({ state }) => state !== 'intended') || undefined;
        },
        { withinMs },
      );
    return {
      id,
      branch: source.ref,
      number,
      runs,
      comments,
      /** Resolves when the job has ended so many runs and none is live. */
      untilRuns: (count: number, withinMs = 180_000) =>
        eventually(
          async () => {
            const found = await runs();
            return found.length === count && found.every(({ status }) => status === 'ended') ? found : undefined;
          },
          { withinMs },
        ),
      untilComments: (count: number) =>
        eventually(async () => {
          const found = await comments();
          return found.length >= count ? found : undefined;
        }),
      /** The remarks on the pull request: who wrote, what, and how many eyes are on it. */
      async threads() {
        const found = await github.reviewComments(number);
        return found.map(({ id, in_reply_to_id: rootId, user, body, reactions }) => ({
          id,
          rootId: rootId ?? null,
          author: user.login,
          body: body.replace(/\n\n<!-- pagewright:.* -->$/, ''),
          eyes: reactions?.eyes,
        }));
      },
      /** What was accepted after the first prompt. */
      messages: async () => (await listMessages(database, id)).slice(1),
      untilAnswered,
      /** Resolves when every webhook about the pull request that was sent so far is processed, and answered. */
      async untilQuiet() {
        await world.github.deliveries.settled();
        await eventually(async () => {
          const stored = database.selectFrom('deliveries').select('fields').where('state', '=', 'stored');
          const fields = (await stored.execute()).map((row) => payloadFields.parse(row.fields));
          const ours = fields.filter((payload) => payload.repository?.id === repository.id);
          return !ours.some((payload) => (payload.issue ?? payload.pull_request)?.number === number) || undefined;
        });
        await untilAnswered();
      },
    };
  };
}

/** A world with a running service, in which any number of conversations may be opened. */
export async function openStage(options: Parameters<typeof openServedWorld>[0] = {}) {
  const served = await openServedWorld(options);
  const { world, service, choices, name } = served;
  return {
    ...served,
    /** Somebody else, with what they may do in the repository. */
    person(login: string, role: Parameters<World['github']['setPermission']>[2]) {
      world.github.setPermission(name, login, role);
      return world.github.asPerson(login);
    },
    open: createOpen(served),
    /** A conversation in another repository. */
    async openIn(owner: string, later: readonly Script[] = []) {
      const there = await served.openProject(owner);
      const conversation = await createOpen({ ...there, choices })(later);
      return { ...served, ...there, ...conversation };
    },
    /** Posts a delivery that the local GitHub cannot cause, signed as GitHub signs. */
    deliver: (event: string, payload: object) => deliver({ url: service.url, world, event, payload }),
    /** The payload of the last delivery of an event, to be changed and delivered again. */
    lastPayload: (event: string) =>
      z.looseObject({}).parse(world.github.deliveries.log.findLast((delivery) => delivery.event === event)?.payload),
  };
}

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** A stage with one conversation. */
export async function openConversation({
  later = [],
  ...given
}: { later?: readonly Script[] } & Parameters<typeof openStage>[0] = {}) {
  await using cleanup = new AsyncDisposableStack();
  const stage = cleanup.use(await openStage(given));
  const conversation = await stage.open(later);
  const held = cleanup.move();
  return { ...stage, ...conversation, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

async function deliver({
  url,
  world,
  event,
  payload,
}: {
  url: string;
  world: World;
  event: string;
  payload: object;
}): Promise<void> {
  const body = JSON.stringify(payload);
  const signature = createHmac('sha256', world.environment.WEBHOOK_SECRET ?? '')
    .update(body)
    .digest('hex');
  const answer = await fetch(`${url}/api/github/webhooks`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': `sha256=${signature}`,
    },
    body,
  });
  if (answer.status !== 202) throw new Error(`the delivery was answered ${answer.status}`);
}

import { eventually } from '../../../harness/eventually.ts';
import { perRun } from '../../../harness/script-steps.ts';
import type { Script } from '../../../local/model/script.ts';
import { readRuns } from './scenario.ts';
import { openServedWorld } from './served-world.ts';

export type Workshop = Awaited<ReturnType<typeof openWorkshop>>;

type Served = Awaited<ReturnType<typeof openServedWorld>>;

/** Creates jobs in the repository of a served world. */
function createCreate({ world, caller, choices }: Pick<Served, 'world' | 'caller' | 'choices'>) {
  /** A job whose runs play these scripts, one each. Its first prompt is its own and begins the name of its branch. */
  return async (prompt: string, scripts: readonly Script[], more: object = {}) => {
    choices.push({ when: prompt, script: perRun(scripts) });
    const { id } = await caller.create(prompt, more);
    const runs = async () => (await readRuns(caller, id)).runs;
    return {
      id,
      settled: () => caller.settled(id),
      message: (text: string) => caller.message(id, text),
      runs,
      /** Resolves when the job has ended so many runs and none is live. */
      untilRuns: (count: number) =>
        eventually(async () => {
          const found = await runs();
          return found.length === count && found.every(({ status }) => status === 'ended') ? found : undefined;
        }),
      /** What the model was sent for this job, oldest first, as JSON. */
      asked: () => world.model.requests.map(({ body }) => JSON.stringify(body)).filter((sent) => sent.includes(prompt)),
      async number() {
        const { prLink } = await caller.settled(id);
        return Number(prLink?.split('/').at(-1));
      },
    };
  };
}

/** A world with a running service for jobs that have each a prompt, a base or a rule of their own, and so do not disturb each other. */
export async function openWorkshop(options: Parameters<typeof openServedWorld>[0] = {}) {
  const served = await openServedWorld(options);
  const { world, choices } = served;
  const { database } = world.database;

  return {
    ...served,
    create: createCreate(served),
    /** Jobs in another repository. */
    async createIn(owner: string, files?: Record<string, string>) {
      const there = await served.openProject(owner, files);
      return { ...there, create: createCreate({ ...there, choices }) };
    },
    /** Resolves when every webhook that was sent so far is processed, and every answer that was promised is given. */
    async untilQuiet() {
      await world.github.deliveries.settled();
      await eventually(async () => {
        const stored = await database.selectFrom('deliveries').select('event').where('state', '=', 'stored').execute();
        const promised = await database.selectFrom('effects').select('key').where('state', '=', 'intended').execute();
        return stored.length + promised.length === 0 ? true : undefined;
      });
    },
  };
}

/** How often, and in which order, the texts stand in the last thing that the model was sent. */
export function findMessages(requests: string[], texts: string[]): string[] {
  return [...(requests.at(-1) ?? '').matchAll(/<message id=[^>]*>([^<]*)<\/message>/g)].flatMap(([, text = '']) =>
    texts.includes(text) ? [text] : [],
  );
}

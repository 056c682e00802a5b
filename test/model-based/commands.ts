import fc from 'fast-check';
import { expect } from 'vitest';
import { compare } from './compare.ts';
import { words, workOff } from './hear.ts';
import type { LiveJob } from './live-job.ts';
import type { MemoryDelivery, Writer } from './memory-github.ts';
import { accept, archive, type Model, stop } from './model.ts';
import { loseWorker, takeStep, type Wish } from './take-step.ts';

type Command = fc.AsyncCommand<Model, LiveJob>;

const people = {
  rita: { login: 'rita', id: 11, type: 'User' },
  max: { login: 'max', id: 12, type: 'User' },
  // May read and no more.
  eve: { login: 'eve', id: 13, type: 'User' },
  robot: { login: 'robot[bot]', id: 14, type: 'Bot' },
  // Words of somebody's that an App sent.
  relayed: { login: 'rita', id: 11, type: 'User', viaApp: true },
} as const satisfies Record<string, Writer>;
export const { rita } = people;

/** Something that happens where `when` allows it; afterwards the job is as the model says. */
function happen(
  name: string,
  {
    when = () => true,
    run,
  }: { when?: (model: Model) => boolean; run: (model: Model, live: LiveJob) => Promise<unknown> },
): Command {
  return {
    check: (model) => when(model),
    async run(model, live) {
      await run(model, live);
      await compare(model, live);
    },
    toString: () => name,
  };
}

/** On GitHub, where there is a pull request; nothing of it is known to us before it is delivered. */
const onGitHub = (name: string, act: (live: LiveJob, number: number) => void, state?: 'open' | 'closed') =>
  fc.boolean().map((isNextSecond) =>
    happen(`${name}${isNextSecond ? ', a second later' : ''}`, {
      run: async (_model, live) => {
        const pullRequest = live.pullRequest();
        if (!pullRequest || (state && pullRequest.state !== state) || (state === 'closed' && pullRequest.merged))
          return;
        if (isNextSecond) live.memory.tick();
        act(live, pullRequest.number);
      },
    }),
  );

const anybody = fc
  .constantFrom(...Object.keys(people))
  .map((name) => Object.entries(people).find(([key]) => key === name)?.[1] ?? rita);
const text = fc.constantFrom(words.ask, words.ask, words.ask, words.aside, words.stop);

const comment = fc
  .tuple(fc.oneof({ weight: 3, arbitrary: fc.constant(rita) }, anybody), text)
  .chain(([writer, body]) =>
    onGitHub(`${writer.login} comments: ${body}`, ({ memory }, number) => memory.comment(number, writer, body)),
  );

const review = fc
  .record({
    body: fc.constantFrom('', words.ask, words.stop),
    remarks: fc.array(text, { maxLength: 3 }),
    isReply: fc.boolean(),
  })
  .chain(({ body, remarks, isReply }) =>
    onGitHub(
      `rita reviews: ${[body, ...remarks].join(' / ')}${isReply ? ' (in a thread)' : ''}`,
      ({ memory }, number) => {
        const root = memory.remarks.find((remark) => remark.pullRequest === number && remark.inReplyTo === null);
        memory.review(number, rita, { body, remarks, ...(isReply && root && { inReplyTo: root.id }) });
      },
    ),
  );

const life = fc.oneof(
  onGitHub('rita closes it', ({ memory }, number) => memory.close(number, rita), 'open'),
  onGitHub('rita merges it', ({ memory }, number) => memory.close(number, rita, { merged: true }), 'open'),
  { weight: 2, arbitrary: onGitHub('rita reopens it', ({ memory }, number) => memory.reopen(number, rita), 'closed') },
  onGitHub('rita retargets it', ({ memory }, number) => memory.retarget(number, rita, 'next'), 'open'),
);

const place = fc.nat({ max: 20 });
const at = <Item>(list: readonly Item[], index: number) => list[index % Math.max(1, list.length)];

/** Stored, and worked off at once where the queue is quick. */
async function bring(
  model: Model,
  live: LiveJob,
  delivery: MemoryDelivery,
  how: { isNew?: boolean; isAtOnce: boolean },
) {
  const before = live.entries.length;
  await live.deliver(delivery, how);
  const [entry] = how.isAtOnce ? live.entries.splice(before, 1) : [];
  if (entry) await workOff(model, live, entry);
}

const deliver = fc.tuple(place, fc.boolean()).map(([index, isAtOnce]) =>
  happen(`GitHub delivers ${index}${isAtOnce ? ', which is worked off' : ''}`, {
    run: async (model, live) => {
      const [delivery] = live.untold.splice(index % Math.max(1, live.untold.length), 1);
      if (delivery) await bring(model, live, delivery, { isAtOnce });
    },
  }),
);

const deliverAgain = fc.tuple(place, fc.boolean(), fc.boolean()).map(([index, isNew, isAtOnce]) =>
  happen(
    `GitHub delivers the last but ${index} again${isNew ? ', under another id' : ''}${isAtOnce ? ', which is worked off' : ''}`,
    {
      run: async (model, live) => {
        const delivery = at(live.sent.toReversed(), index);
        if (delivery) await bring(model, live, delivery, { isNew, isAtOnce });
      },
    },
  ),
);

const work = fc.tuple(place, fc.boolean(), fc.boolean()).map(([index, isKept, isAnswerLost]) =>
  happen(`the queue works ${index} off${isKept ? ', and will again' : ''}`, {
    run: async (model, live) => {
      const entry = at(live.entries, index);
      if (!entry) return;
      if (!isKept) live.entries.splice(live.entries.indexOf(entry), 1);
      live.parts.failNextWrite(isAnswerLost ? 'lose' : undefined);
      await workOff(model, live, entry);
      live.parts.failNextWrite(undefined);
    },
  }),
);

const wish: fc.Arbitrary<Wish> = fc.record({
  outcome: fc.constantFrom('change', 'change', 'closing', 'unchanged', 'limit'),
  isThinking: fc.boolean(),
  isAnswerLost: fc.boolean(),
  death: fc.constantFrom(undefined, undefined, 'push', 'write'),
});

const step = wish.map((wanted) =>
  happen(`a worker takes a step ${JSON.stringify(wanted)}`, { run: (model, live) => takeStep(model, live, wanted) }),
);

const lose = fc.boolean().map((isTold) =>
  happen(isTold ? 'the worker is told to go' : 'the worker dies', {
    when: ({ worker }) => worker === 'holds' || worker === 'lost',
    run: (model, live) => loseWorker(model, live, { isTold }),
  }),
);

const message = fc.constant(
  happen('the API brings a message', {
    run: async (model, live) => {
      const { key, kind } = await live.message();
      expect(kind).toBe(model.status === 'archived' ? 'archived' : 'accepted');
      accept(model, key);
    },
  }),
);

const cancel = fc.constant(
  happen('the API cancels', {
    run: async (model, live) => {
      await live.cancel();
      stop(model);
    },
  }),
);

const archiveByRequest = fc.constant(
  happen('the API archives', {
    run: async (model, live) => {
      const { archived_at: archivedAt } = await live.archive();
      archive(model, 'requested', archivedAt?.getTime());
    },
  }),
);

/** All that may happen to a job, the ordinary more often. */
export const allCommands: fc.Arbitrary<Command>[] = [
  ...often(8, step),
  ...often(5, comment, deliver),
  ...often(4, work, deliverAgain),
  ...often(3, review),
  ...[life, life, lose, message, cancel, archiveByRequest],
];

function often(times: number, ...commands: fc.Arbitrary<Command>[]): fc.Arbitrary<Command>[] {
  return Array.from({ length: times }, () => commands).flat();
}

import fc from 'fast-check';
import { expect } from 'vitest';
import type { LocalPerson } from '../../local/github/create-person.ts';
import { compare } from './compare.ts';
import { words, workOff } from './hear.ts';
import type { LiveJob, Told } from './live-job.ts';
import { accept, archive, type Model, stop } from './model.ts';
import { loseWorker, takeStep, type Wish } from './take-step.ts';

type Command = fc.AsyncCommand<Model, LiveJob>;

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
const onGitHub = (name: string, login: string, act: (person: LocalPerson, at: Place) => unknown) =>
  fc.boolean().map((isNextSecond) =>
    happen(`${login} ${name}${isNextSecond ? ', a second later' : ''}`, {
      run: async (_model, live) => {
        if (isNextSecond) live.parts.tick();
        const { fullName } = live.parts.world.repository;
        await live.act(login, (person, number) => act(person, { live, fullName, number }));
      },
    }),
  );

interface Place {
  live: LiveJob;
  fullName: string;
  number: number;
}

const text = fc.constantFrom(words.ask, words.ask, words.ask, words.aside, words.stop);

// Eve may read and no more.
const anybody = fc.constantFrom('rita', 'max', 'eve', 'robot[bot]');
const comment = fc
  .tuple(fc.oneof({ weight: 3, arbitrary: fc.constant('rita') }, anybody), text)
  .chain(([login, body]) =>
    onGitHub(`comments: ${body}`, login, (person, { fullName, number }) => person.comment(fullName, number, body)),
  );
const relayed = text.chain((body) =>
  onGitHub(`comments by an App: ${body}`, 'rita', (rita, { live, number }) => live.relay(rita, number, body)),
);

const review = fc
  .record({
    body: fc.constantFrom('', words.ask, words.stop),
    remarks: fc.array(text, { maxLength: 3 }),
    isReply: fc.boolean(),
  })
  .chain(({ body, remarks, isReply }) =>
    onGitHub(
      `reviews: ${[body, ...remarks].join(' / ')}${isReply ? ' (in a thread)' : ''}`,
      'rita',
      async (rita, { live, fullName, number }) => {
        const root = live.pullRequest()?.reviewComments.find(({ inReplyToId }) => inReplyToId === null);
        const comments = remarks.map((body) => ({ path: live.path, line: 3, body }));
        if (!isReply || !root) return rita.review(fullName, number, { body, comments });
        await rita.review(fullName, number, { body });
        for (const remark of remarks) rita.replyToReviewComment(fullName, number, root.id, remark);
      },
    ),
  );

const life = fc.oneof(
  onGitHub('closes it', 'rita', (rita, { fullName, number }) => rita.closePullRequest(fullName, number)),
  onGitHub('merges it', 'rita', (rita, { fullName, number }) => rita.mergePullRequest(fullName, number)),
  {
    weight: 2,
    arbitrary: onGitHub('reopens it', 'rita', (rita, { fullName, number }) => rita.reopenPullRequest(fullName, number)),
  },
  onGitHub('retargets it', 'rita', (rita, { fullName, number }) =>
    rita.editPullRequest(fullName, number, { base: 'next' }),
  ),
);

const place = fc.nat({ max: 20 });
const at = <Item>(list: readonly Item[], index: number) => list[index % Math.max(1, list.length)];

/** Stored, and worked off at once where the queue is quick. */
async function bring(model: Model, live: LiveJob, delivery: Told, how: { isNew?: boolean; isAtOnce: boolean }) {
  const before = live.entries.length;
  await live.deliver(delivery, how);
  const [entry] = how.isAtOnce ? live.entries.splice(before, 1) : [];
  if (entry) await workOff(model, live, entry);
}

const deliver = fc.tuple(place, fc.boolean()).map(([index, isAtOnce]) =>
  happen(`GitHub delivers ${index}${isAtOnce ? ', which is worked off' : ''}`, {
    run: async (model, live) => {
      const untold = live.untold();
      const [delivery] = untold.splice(index % Math.max(1, untold.length), 1);
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
      using _lost = isAnswerLost ? live.parts.loseNextAnswer() : undefined;
      await workOff(model, live, entry);
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
  ...often(3, review, message),
  ...[life, life, lose, relayed, cancel, archiveByRequest],
];

function often(times: number, ...commands: fc.Arbitrary<Command>[]): fc.Arbitrary<Command>[] {
  return Array.from({ length: times }, () => commands).flat();
}

import { setTimeout as delay } from 'node:timers/promises';
import { call } from '../../../harness/script-steps.ts';
import type { Script } from '../../../local/model/script.ts';
import { faultyKinds } from './faulty-kinds.ts';
import type { People, RunKind } from './kind.ts';
import { readingRun } from './reading-run.ts';

const write = (path: string, nth: number) =>
  call('write_file', { path, content: `# Page\n\nRun ${nth} of ${path}.\n` });
const finish = (title: string) => call('finish', { summary: `${title}.`, title });

const writePage =
  (name: string): RunKind['play'] =>
  ({ turn }, { nth }) =>
    turn === 0 ? write(`${name}.md`, nth) : finish(`Write ${name}`);

const byRita = (nth: number | 'n') => ({ [`by-rita-${nth}.md`]: `Rita was here, ${nth}.\n` });

const message =
  (name: string): NonNullable<RunKind['begin']> =>
  (people, { project, jobId }) =>
    people.message(project, jobId, instruct(name, project));

const comment =
  (name: string): NonNullable<RunKind['begin']> =>
  async (people, { project, pullRequest }) =>
    void people.rita.comment(project.fullName, pullRequest ?? 0, instruct(name, project));

/** The instruction names kind and repository, for the trials' model to read. */
export const instruct = (name: string, { fullName }: { fullName: string }) => `Please do [${name}] in (${fullName}).`;

export const firstRun: RunKind = {
  name: 'first run',
  project: 'plain',
  leaves: 'first.md',
  play: writePage('first'),
};

export const signedRun: RunKind = { ...firstRun, name: 'signed commits', project: 'signed' };

export const laterKinds: RunKind[] = [
  {
    name: 'follow-up',
    project: 'plain',
    leaves: 'follow-up.md',
    begin: message('follow-up'),
    play: writePage('follow-up'),
  },
  {
    name: 'review',
    project: 'plain',
    leaves: 'The agent did not answer this comment',
    async begin(people, { project, pullRequest }) {
      const comments = [1, 3].map((line) => ({ path: 'first.md', line, body: `Say more in line ${line}.` }));
      await people.rita.review(project.fullName, pullRequest ?? 0, { body: instruct('review', project), comments });
    },
    play: writePage('review'),
  },
  {
    name: 'comment',
    project: 'plain',
    leaves: 'comment.md',
    begin: comment('comment'),
    play: writePage('comment'),
  },
  {
    name: 'beside a person',
    project: 'plain',
    leaves: 'by-rita-',
    filesOfPeople: byRita('n'),
    begin: message('beside a person'),
    async play({ turn, attempt }, { nth, people, fullName }) {
      if (turn === 0) return write('beside.md', nth);
      // Only once: a run that is taken over sends the same request again.
      if (attempt === 1) await people.pushAsPerson(fullName, byRita(nth));
      return finish('Write beside');
    },
  },
  {
    name: 'more beside it',
    project: 'plain',
    leaves: 'Write what came first and last',
    begin: message('more beside it'),
    async play({ turn, attempt, messages }, { nth, people, fullName }) {
      const instruction = instruct('more beside it', { fullName });
      if (turn === 0 && attempt === 1)
        for (const when of ['first', 'last'])
          await people.messageBeside(fullName, `${instruction} This came ${when} of run ${nth}.`);
      if (turn === 0) return write('more.md', nth);
      const came = messages.flatMap(({ text }) => [...text.matchAll(/This came (first|last) of run (\d+)/g)]);
      const own = came.filter((match) => Number(match[2]) === nth).map((match) => match[1]);
      return finish(`Write what came ${own.join(' and ')}`);
    },
  },
  {
    name: 'compacted',
    project: 'plain',
    leaves: 'compacted.md',
    begin: message('compacted'),
    play({ turn }, { nth }) {
      const page = `# Page\n\nRun ${nth}.\n\n${'A long page.\n'.repeat(100)}`;
      if (turn === 0) return call('write_file', { path: 'compacted.md', content: page });
      // Almost all of the window: earlier texts must go.
      if (turn === 1) return { ...call('read_file', { path: 'compacted.md' }), usage: { tokensIn: 190_000 } };
      return finish('Write a long page');
    },
  },
  {
    name: 'nothing to change',
    project: 'plain',
    leaves: 'Nothing needs to change.',
    begin: message('nothing to change'),
    play: () => call('finish', { summary: 'Nothing needs to change.' }),
  },
  {
    name: 'refused by the model',
    project: 'plain',
    leaves: 'refused the request',
    begin: comment('refused by the model'),
    play: () => ({ fault: { kind: 'status', status: 400, code: 'content_policy_violation' } }),
  },
];

/** The run ends without a comment, so that the queue has to post the reason. */
export const cancelledRun: RunKind = {
  name: 'cancelled',
  project: 'plain',
  leaves: 'Stopped on request',
  begin: comment('cancelled'),
  async play(_request, { people, fullName }) {
    await people.cancelBeside(fullName);
    // Nobody waits for the answer.
    await delay(2_000);
    return { text: 'Too late.' };
  },
};

/** As long as a deploy takes, so that every deploy meets some runs in the middle. */
export const slowRun: RunKind = {
  name: 'slow run',
  project: 'plain',
  leaves: 'slow-3.md',
  async play({ turn }, { nth }) {
    await delay(400);
    return turn < 4 ? write(`slow-${turn}.md`, nth) : finish('Write slowly');
  },
};

export const allKinds: readonly [RunKind, ...RunKind[]] = [firstRun, signedRun, ...laterKinds];
const playable = [...allKinds, cancelledRun, slowRun, readingRun, ...faultyKinds];

/** What Pagewright itself asks for: a merged change on another branch, or that failing checks are mended. */
const nameOfOwn = (text: string) => (text.includes(' on the branch ') ? firstRun.name : 'nothing to change');

/** Plays the kind that the newest instruction names. */
export function playKinds(people: () => People): Script {
  return async (request) => {
    const text = request.messages.map(({ text }) => text).join('\n');
    const newest = [...text.matchAll(/<message[^>]*>(.*?)<\/message>/gs)].at(-1)?.[1] ?? '';
    const name = /\[([\w -]+)\]/.exec(newest)?.[1] ?? nameOfOwn(newest);
    const fullName = /\(([\w-]+\/[\w-]+)\)/.exec(newest)?.[1] ?? '';
    const kind = playable.find((kind) => kind.name === name);
    if (!kind) return { fault: { kind: 'status', status: 400, code: 'no_kind' } };
    const nth = 1 + (request.messages[0]?.text.match(/<earlier-run /g)?.length ?? 0);
    return kind.play(request, { nth, people: people(), fullName });
  };
}

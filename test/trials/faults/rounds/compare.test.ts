import { expect, test } from 'vitest';
import { compareOutcomes } from '../../../../trials/faults/rounds/compare.ts';
import type { Outcome } from '../../../../trials/faults/rounds/outcome.ts';

const undisturbed: Outcome = {
  status: 'completed',
  branches: 1,
  commits: ['bot: Write it', 'page.md'],
  files: { 'page.md': '# Page\n' },
  filesOfPeople: { 'by-rita-n.md': 'Rita was here.\n' },
  pullRequests: ['open'],
  titles: ['Write it'],
  descriptions: ['It is written.'],
  comments: ['bot: Done.'],
  runs: ['ended published'],
  messages: ['answered'],
  effects: ['run:push done'],
  faults: [],
  modelRequests: ['first', 'second'],
  writes: ['push'],
};

test.each<[string, Partial<Outcome>, number, number[]]>([
  ['equal outcomes have no difference', {}, 0, []],
  ['a second branch breaks promise 1', { branches: 2 }, 0, [1]],
  ['a duplicate comment breaks promise 1', { comments: ['bot: Done.', 'bot: Done.'] }, 0, [1]],
  ['a lost commit breaks promise 1', { commits: [] }, 0, [1]],
  ["a file of Pagewright's with other text breaks promise 1", { files: { 'page.md': '' } }, 0, [1]],
  ['a missing file of a person breaks promise 13', { filesOfPeople: {} }, 0, [13]],
  ['another title breaks promise 1', { titles: ['Write'] }, 0, [1]],
  ['an effect that stays intended breaks promise 1', { effects: ['run:push intended'] }, 0, [1]],
  ['what the job does not keep breaks its promise', { faults: [{ promise: 33, text: 'seq: [1,3]' }] }, 0, [33]],
  ['another end of the run breaks promise 10', { runs: ['ended crashed'], status: 'failed' }, 0, [10, 10]],
  ['a repeated POST breaks promise 11', { writes: ['push', 'push'] }, 0, [11]],
  ['a message without an answer breaks promise 15', { messages: ['dropped'] }, 0, [15]],
  ['a request paid twice breaks promise 10', { modelRequests: ['first', 'first', 'second'] }, 0, [10]],
  ['the request in flight may be repeated', { modelRequests: ['first', 'first', 'second'] }, 1, []],
  ['a different request breaks promise 10', { modelRequests: ['first', 'else', 'second'] }, 1, [10]],
  ['two repeated requests break promise 10', { modelRequests: ['first', 'first', 'second', 'second'] }, 1, [10]],
])('%s', (_name, found, repeats, promises) => {
  const differences = compareOutcomes(undisturbed, { ...undisturbed, ...found }, { repeats });
  expect(differences.map(({ promise }) => promise).toSorted((a, b) => a - b)).toEqual(promises);
});

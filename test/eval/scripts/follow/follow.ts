import { type Call, edit, publish, type TaskScript } from '../script.ts';

/** By page: the replacement, and the file that says so: `@CODE/…` in the repository of the code. */
type Change = readonly [page: string, oldText: string, newText: string, from: string];

const edits = (changes: readonly Change[]): Call[] => changes.map(([page, from, to]) => edit(page, from, to));

/** The right run, and two wrong ones: with an edit that nobody needs, and with a page that rests on nothing. */
export function documents(
  changes: readonly Change[],
  { extra, more = [] }: { extra: Call; more?: NonNullable<TaskScript['wrong']> },
): TaskScript {
  const evidence = changes.map(([page, , text, path]) => ({
    page,
    claim: text || 'It is gone.',
    path,
  }));
  const right = [...edits(changes), publish('Follow the code', { evidence })];
  const [page = ''] = changes.at(-1) ?? [];
  const resting = evidence.filter((each) => each.page !== page);
  return {
    right: [right],
    wrong: [
      { reason: /changed, which nobody asked for/, runs: [[extra, ...right]] },
      {
        reason: new RegExp(`${page} does not name \\S+ as evidence`),
        runs: [[...edits(changes), publish('Follow the code', { evidence: resting })]],
      },
      ...more,
    ],
  };
}

const done = (summary: string): Call => ['finish', { summary }];

/** It says why; wrong are one that changes a page all the same, and one that ends without a reason. */
export const leavesAlone = (reason: string, change: Call): TaskScript => ({
  right: [[done(`Nothing to document: ${reason}`)]],
  wrong: [
    { reason: /there is a pull request, and nothing was to change/, runs: [[change, publish('Follow the code')]] },
    { reason: /nothing that it says has .*Nothing to document/, runs: [[done('Done.')]] },
  ],
});

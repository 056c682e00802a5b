import { afterAll, expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { edit, finish } from '../../../harness/script-steps.ts';
import { createVisitor } from '../../../harness/visitor.ts';
import { steps } from '../../../local/model/script.ts';
import { openServedWorld } from '../../support/worlds/served-world.ts';

const served = await openServedWorld({ files: { 'limits.md': '# Limits\n\nSee [usage](limits.md).\n' } });
served.choices.push({
  when: 'break',
  script: steps([edit('limits.md', 'limits.md', 'gone.md'), finish('Done.'), finish('Done.'), finish('Done.')]),
});
served.world.github.addUser('mona');
served.world.github.addUser('reader');
served.world.github.setPermission(served.name, 'mona', 'maintain');
const visitor = createVisitor({ url: served.service.url, github: served.world.github });
await visitor.signIn('rita');
afterAll(() => served[Symbol.asyncDispose]());

const until = (path: string, ...words: string[]) =>
  eventually(async () => {
    const { text } = await visitor.get(path);
    return words.every((word) => text.includes(word)) ? text : undefined;
  });

test('the list and the head say what reviewers, checks and GitHub say of a pull request', async () => {
  const { name, world, github, rita } = served;
  const list = `/projects/${world.projectId}`;
  const { location: job } = await visitor.post(`${list}/jobs/new`, { prompt: 'Please break it.' });
  await until(job, '>Ready for review<', '1 problem left');
  const listed = await until(list, '1 problem left', '1 file <span', '>+1<', '>−1<');
  expect(listed).not.toMatch(/Approved by|Checks on GitHub/);
  const { head, base } = await github.pullRequest(1);

  const mona = world.github.asPerson('mona');
  await world.github.asPerson('reader').review(name, 1, { state: 'APPROVED' });
  const { id } = await mona.review(name, 1, { state: 'CHANGES_REQUESTED', body: 'Hm.' });
  for (const path of [list, job]) await until(path, 'Changes requested by mona');
  await rita.review(name, 1, { state: 'APPROVED' });
  const text = await until(job, 'Approved by rita<');
  expect(text).toContain('Pull request #1</a>');
  mona.dismissReview(name, 1, id);
  const merge = await until(job, 'Merge #1 on GitHub</a>');
  expect(merge).not.toContain('Changes requested');

  // It failed before the change: no run mends it.
  for (const { sha } of [base, head])
    rita.report(name, { name: 'vale <b>', headSha: sha, conclusion: 'failure', title: 'Old' });
  for (const path of [list, job]) await until(path, 'Checks on GitHub fail');
  const checks = await until(`${job}?tab=checks`, 'On GitHub', 'vale &lt;b&gt;');
  expect(checks).toContain('Pull request #1</a>');
  rita.report(name, { name: 'vale <b>', headSha: head.sha, conclusion: 'success' });
  await until(list, 'Checks on GitHub passed');
});

import { expect, test } from 'vitest';
import { createFixture, docs } from './github-fixture.ts';

test.each([
  ['the list of pull requests', 'GET /repos/{owner}/{repo}/pulls'],
  ['one pull request', 'GET /repos/{owner}/{repo}/pulls/1'],
  ['the reviews of one', 'GET /repos/{owner}/{repo}/pulls/1/reviews'],
  ['the comments of one', 'GET /repos/{owner}/{repo}/issues/1/comments'],
])('%s is asked for again free of charge until it changes', async (_name, route) => {
  let aheadMs = 0;
  await using fixture = await createFixture({ clock: () => new Date(Date.now() + aheadMs) });
  const { asInstallation, github } = fixture;
  const mona = github.asPerson('mona');
  await mona.pushCommit('acme/docs', 'work', { 'work.md': 'one\n' }, 'Write');
  await asInstallation.rest.pulls.create({ ...docs, title: 'Work', head: 'work', base: 'main' });
  const first = await asInstallation.request(route, docs);
  const etag = String(first.headers.etag);
  const used = Number(first.headers['x-ratelimit-used']);
  const again = () => asInstallation.request(route, { ...docs, headers: { 'if-none-match': etag } });
  const answer = { status: 304, response: { headers: { etag, 'x-ratelimit-used': String(used) } } };
  await expect(again()).rejects.toMatchObject(answer);
  await expect(again()).rejects.toMatchObject(answer);
  aheadMs = 2_000;
  mona.comment('acme/docs', 1, 'Hello');
  await mona.review('acme/docs', 1, { state: 'APPROVED' });
  const changed = await again();
  expect(changed.headers.etag).not.toBe(etag);
  expect(Number(changed.headers['x-ratelimit-used'])).toBe(used + 1);
});

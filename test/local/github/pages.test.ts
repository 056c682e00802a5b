import { get, type IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { createFixture, type Fixture } from './github-fixture.ts';

const read = async (fixture: Fixture, path: string) => (await fetch(`${fixture.github.webUrl}${path}`)).text();

const press = (fixture: Fixture, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${fixture.github.webUrl}/acme/docs/pull/1`, {
    method: 'POST',
    body: new URLSearchParams({ as: 'mona', ...fields }),
    redirect: 'manual',
    headers,
  });

test('the pages escape all text of people', async () => {
  await using fixture = await createFixture();
  const attack = '<script>alert(1)</script>';
  const body = `${attack}\n\n[x](javascript:alert(1)) **${attack}** \`${attack}\`\n\n<!-- unseen -->`;
  await fixture.openPullRequest({ title: attack, body, text: '<b>one</b>\n' });
  fixture.github.asPerson('mona').comment('acme/docs', 1, `# ${attack}\n\n- ${attack}\n\n\`\`\`\n${attack}\n\`\`\``);
  const page = await read(fixture, '/acme/docs/pull/1');
  expect(page).not.toContain('<script');
  expect(page).not.toContain('href="javascript:');
  expect(page).not.toContain('unseen');
  expect(page).toContain('+&lt;b&gt;one&lt;/b&gt;');
});

test('a person comments, closes, reopens and merges by pressing buttons', async () => {
  await using fixture = await createFixture();
  await fixture.openPullRequest();
  expect((await press(fixture, { action: 'comment', body: 'Looks **good**' })).status).toBe(303);
  expect(await read(fixture, '/acme/docs/pull/1')).toContain('Looks <strong>good</strong>');
  await press(fixture, { action: 'close' });
  expect(await read(fixture, '/acme/docs/pull/1')).toContain('Closed</span>');
  await press(fixture, { action: 'reopen' });
  await press(fixture, { action: 'merge' });
  expect(await read(fixture, '/acme/docs/pull/1')).toContain('Merged</span>');
  expect(fixture.github.deliveries.log.at(-1)).toMatchObject({ event: 'push', payload: { ref: 'refs/heads/main' } });
});

test('only people with write access press the buttons', async () => {
  await using fixture = await createFixture();
  await fixture.openPullRequest();
  fixture.github.addUser('stranger');
  expect(await read(fixture, '/acme/docs/pull/1')).not.toContain('<option>stranger</option>');
  const answer = await press(fixture, { action: 'merge', as: 'stranger' });
  expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('stranger has no write access')]);
});

test('the pages serve only this machine', async () => {
  await using fixture = await createFixture();
  const { hostname, port } = new URL(fixture.github.webUrl);
  const { statusCode } = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ hostname, port, path: '/', headers: { host: `evil.example:${port}` } }, resolve).once('error', reject);
  });
  expect(statusCode).toBe(421);
});

test('a button that fails shows the reason', async () => {
  await using fixture = await createFixture();
  await fixture.openPullRequest();
  const mona = fixture.github.asPerson('mona');
  await mona.deleteBranch('acme/docs', 'work');
  const answer = await press(fixture, { action: 'reopen' });
  expect([answer.status, await answer.text()]).toEqual([
    422,
    expect.stringContaining('The work branch has been deleted.'),
  ]);
});

test('another site cannot press the buttons', async () => {
  await using fixture = await createFixture();
  await fixture.openPullRequest();
  expect((await press(fixture, { action: 'merge' }, { origin: 'https://evil.example' })).status).toBe(400);
  expect((await press(fixture, { action: 'merge' }, { origin: fixture.github.webUrl })).status).toBe(303);
});

import { expect, test } from 'vitest';
import { z } from 'zod';
import { edit, finish, hold } from '../../../harness/script-steps.ts';
import { startInWorld } from '../../../harness/start-service.ts';
import { steps } from '../../../local/model/script.ts';
import { problemShape } from '../../support/doors/api.ts';
import { openConversation, openStage } from '../../support/worlds/conversation.ts';

interface Place {
  service: { url: string };
  world: { projectId: string; key: string };
}

async function readDiff({ service, world }: Place, jobId: string, accept?: string) {
  const answer = await fetch(`${service.url}/v2/agent/${world.projectId}/job/${jobId}/diff`, {
    headers: { authorization: `Bearer ${world.key}`, ...(accept && { accept }) },
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const diffShape = z.strictObject({ files: z.array(z.looseObject({ path: z.string() })), truncated: z.boolean() });
const readJson = async (place: Place, jobId: string) => {
  const { status, headers, text } = await readDiff(place, jobId, 'application/json');
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  return diffShape.parse(JSON.parse(text));
};

const limits = {
  path: 'limits.md',
  previousPath: null,
  status: 'modified',
  additions: 1,
  deletions: 1,
  patch: '@@ -1,3 +1,3 @@\n # Limits\n \n-60 requests per minute.\n+100 requests per minute.',
};

test.concurrent('the diff is the pull request’s change, from the mirror and from GitHub alike, also after the merge', async () => {
  await using made = await openConversation();
  await using web = await startInWorld(made.world, { ROLE: 'web' });
  const places = [made, { service: web, world: made.world }];
  const text = `diff --git a/limits.md b/limits.md\n--- a/limits.md\n+++ b/limits.md\n${limits.patch}\n`;
  const asked = () => made.world.github.requests.filter(({ path }) => path.endsWith('/files')).length;
  await readJson(made, made.id);
  expect(asked()).toBe(0);
  for (const place of places) {
    expect(await readJson(place, made.id)).toEqual({ files: [limits], truncated: false });
    for (const accept of [undefined, '*/*', 'text/x-diff', 'text/plain'])
      expect(await readDiff(place, made.id, accept)).toMatchObject({ status: 200, text });
  }
  expect(asked()).toBeGreaterThan(0);
  const { headers } = await readDiff(made, made.id);
  expect(headers.get('content-type')).toBe('text/x-diff; charset=utf-8');
  expect(headers.get('vary')).toContain('Accept');

  // The target moves on: the merge base stays.
  await made.rita.pushCommit(made.name, 'main', { 'index.md': '# Acme\n\nHello.\n' }, 'Say hello');
  for (const place of places) expect((await readJson(place, made.id)).files).toEqual([limits]);
  // The mirror does not have this commit.
  await made.rita.pushCommit(
    made.name,
    made.branch,
    { 'limits.md': '# Limits\n\n200 requests per minute.\n' },
    'Say 200',
  );
  const pushed = { ...limits, patch: limits.patch.replace('+100', '+200') };
  for (const place of places) expect((await readJson(place, made.id)).files).toEqual([pushed]);
  await made.rita.mergePullRequest(made.name, made.number);
  await made.caller.until(made.id, ({ status }) => status === 'archived');
  for (const place of places) expect((await readJson(place, made.id)).files).toEqual([pushed]);
});

test.concurrent('before there is a pull request the diff is empty, and without its repository refused', async () => {
  const editing = hold(edit('limits.md', '60 requests', '100 requests'));
  await using stage = await openStage();
  stage.choices.push({ when: 'Hold on.', script: steps([editing.step, finish('Done.')]) });
  const { id } = await stage.caller.create('Hold on.');
  await editing.asked;
  expect(await readJson(stage, id)).toEqual({ files: [], truncated: false });
  expect(await readDiff(stage, id)).toMatchObject({ status: 200, text: '' });
  editing.release();
  await stage.caller.settled(id);
  stage.world.github.removeFromInstallation(stage.world.installationId, ['docs']);
  const { status, text } = await readDiff(stage, id);
  expect([status, problemShape.parse(JSON.parse(text)).type]).toEqual([409, 'urn:pagewright:problem:repository-gone']);
});

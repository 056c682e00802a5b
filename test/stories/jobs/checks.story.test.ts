import { expect, test } from 'vitest';
import { judgeEvents } from '../../../harness/judge-events.ts';
import { openStream } from '../../../harness/open-stream.ts';
import { edit, finish, perRun, write } from '../../../harness/script-steps.ts';
import { startInWorld } from '../../../harness/start-service.ts';
import { steps } from '../../../local/model/script.ts';
import { collectObjections, docsSite, writePage } from '../../support/worlds/docs-site.ts';
import { lookAt } from '../../support/worlds/scenario.ts';
import { createWorld } from '../../support/worlds/world.ts';

test('promises 31 and 33: a link that the agent breaks goes back to it at finish, and its followers see how', async () => {
  const { objections, afterLooking } = collectObjections();
  const done = finish('Says where the limits are.', { title: 'Link the limits', description: 'Links them.' });
  await using world = await createWorld({
    files: docsSite,
    script: steps([
      edit('index.mdx', '/limits', '/limit'),
      done,
      afterLooking(edit('index.mdx', '/limit', '/limits#top')),
      done,
    ]),
  });
  await using service = await startInWorld(world);
  const { id } = await service.caller.create('Link the limits.');
  using stream = await openStream(`${service.url}/v2/agent/${world.projectId}/job/${id}/events`, world);
  const { source, status } = await service.caller.settled(id);
  const github = lookAt(world);

  expect(status).toBe('completed');
  expect(objections).toEqual([expect.stringMatching(/^not finished yet[\s\S]*\nindex\.mdx:5: .*\/limit\b.*\/limits/)]);
  expect(await github.file(source.ref, 'index.mdx')).toContain('(/limits');
  const { body } = await github.pullRequest(1);
  expect(body).toContain('## Checks\n\nChecked: 1 link, 1 page parsed, navigation.');
  expect(await service.caller.runs(id)).toMatchObject({
    runs: [{ checks: { ran: true, links: 1, pages: 1, navigation: true, more: 0 } }],
  });

  await stream.until((events) => events.at(-1)?.type === 'job.completed', 'the end of the job');
  expect(stream.events.map(({ type, data }) => [type, data.name ?? data.tools ?? data.path ?? data.sentBack])).toEqual([
    ['job.created', undefined],
    ['message.accepted', undefined],
    ['run.started', undefined],
    ['turn.answered', ['edit_file']],
    ['tool.finished', 'edit_file'],
    ['file.changed', 'index.mdx'],
    ['turn.answered', ['finish']],
    ['tool.finished', 'finish'],
    ['check.problem', true],
    ['turn.answered', ['edit_file']],
    ['tool.finished', 'edit_file'],
    ['file.changed', 'index.mdx'],
    ['turn.answered', ['finish']],
    ['tool.finished', 'finish'],
    ['pull_request.opened', undefined],
    ['run.ended', undefined],
    ['job.completed', undefined],
  ]);
  const dataOf = (wanted: string) => stream.events.find(({ type }) => type === wanted)?.data;
  expect(dataOf('file.changed')).toMatchObject({ additions: 1, deletions: 1 });
  expect(dataOf('check.problem')).toMatchObject({ file: 'index.mdx', line: 5, kind: 'link', severity: 'must' });
  expect(dataOf('pull_request.opened')).toMatchObject({ number: 1, title: 'Link the limits' });
  expect(dataOf('run.ended')).toMatchObject({ code: 'published', summary: expect.stringMatching(/\S/) });
  expect(await judgeEvents(world.database.database, id)).toEqual([]);
});

test('promise 40: a problem that the agent explained stands in the description, and comes back in no later run', async () => {
  const { objections, afterLooking } = collectObjections();
  const explained = [{ file: 'beta.mdx', why: 'Only testers get its address.' }];
  const first = finish('Adds a page for testers.', { title: 'Add the beta', description: 'Adds it.' });
  await using world = await createWorld({
    files: docsSite,
    script: perRun([
      steps([
        write('beta.mdx', writePage('Beta', 'For testers: see [the sign-up](/sign-up).')),
        first,
        afterLooking(finish('Adds a page for testers.', { title: 'Add the beta', description: 'Adds it.', explained })),
      ]),
      steps([edit('limits.mdx', '60', '90'), finish('Says 90.')]),
    ]),
  });
  await using service = await startInWorld(world);
  const { id } = await service.caller.create('Add a page for testers that nobody finds.');
  await service.caller.settled(id);
  expect(objections).toEqual([
    expect.stringMatching(/\nbeta\.mdx:5: link \/sign-up [\s\S]*\nbeta\.mdx:1: no reader finds this page/),
  ]);
  await service.caller.message(id, 'The limit is 90.');
  expect(await service.caller.settled(id)).toMatchObject({ status: 'completed' });

  const github = lookAt(world);
  expect((await github.pullRequest(1)).body).toContain('_Explained:_ Only testers get its address.');
  expect((await github.comments(1)).map(({ body }) => body)).toEqual([expect.not.stringContaining('beta.mdx')]);
  const problem = { file: 'beta.mdx', explanation: 'Only testers get its address.' };
  const checks = { problems: [problem, problem] };
  expect(await service.caller.runs(id)).toMatchObject({
    runs: [
      { turns: 3, checks },
      { turns: 2, checks },
    ],
  });
});

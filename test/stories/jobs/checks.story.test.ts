import { expect, test } from 'vitest';
import { judgeEvents } from '../../../harness/judge-events.ts';
import { openStream } from '../../../harness/open-stream.ts';
import { edit, finish } from '../../../harness/script-steps.ts';
import { startInWorld } from '../../../harness/start-service.ts';
import { steps } from '../../../local/model/script.ts';
import { collectObjections, docsSite } from '../../support/worlds/docs-site.ts';
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

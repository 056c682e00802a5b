import { expect, test } from 'vitest';
import { edit, finish } from '../../../harness/script-steps.ts';
import { startInWorld } from '../../../harness/start-service.ts';
import { steps } from '../../../local/model/script.ts';
import { collectObjections, docsSite } from '../../support/docs-site.ts';
import { lookAt } from '../../support/scenario.ts';
import { createWorld } from '../../support/world.ts';

test('promise 31: a link that the agent breaks goes back to it at finish, and is mended before it is published', async () => {
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
});

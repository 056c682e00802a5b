import { expect, test } from 'vitest';
import { edit, finish, perRun } from '../../../harness/script-steps.ts';
import { startInWorld } from '../../../harness/start-service.ts';
import { steps } from '../../../local/model/script.ts';
import { docsSite } from '../../support/worlds/docs-site.ts';
import { lookAt } from '../../support/worlds/scenario.ts';
import { createWorld } from '../../support/worlds/world.ts';

const asset = (name: string) => `https://github.com/user-attachments/assets/${name}`;

test('promise 40: images that the model did not see are told in the description, the API and the later comment', async () => {
  const done = finish('Says the limit.', { title: 'Say the limit', description: 'Says it.' });
  await using world = await createWorld({
    files: docsSite,
    script: perRun([
      steps([edit('limits.mdx', '60', '90'), done]),
      steps([edit('limits.mdx', '90', '100'), finish('Says 100.')]),
    ]),
  });
  await using service = await startInWorld(world);
  const { id } = await service.caller.create(`As here: ![a](${asset('a')}) <img src="${asset('b')}">`);
  await service.caller.settled(id);
  const github = lookAt(world);
  expect((await github.pullRequest(1)).body).toContain('(2 images were not seen)');
  expect(await github.comments(1)).toEqual([]);
  await service.caller.message(id, `And here:\n\n${asset('c')}`);
  await service.caller.settled(id);
  expect((await github.comments(1)).map(({ body }) => body)).toEqual([
    expect.stringContaining('1 image was not seen: Pagewright reads only text.'),
  ]);
  expect(await service.caller.runs(id)).toMatchObject({
    runs: [
      { warnings: ['2 images were not seen: Pagewright reads only text.'] },
      { warnings: ['1 image was not seen: Pagewright reads only text.'] },
    ],
  });
  expect(JSON.stringify(world.model.requests[0]?.body)).toContain('You do not see the images of this message.');
});

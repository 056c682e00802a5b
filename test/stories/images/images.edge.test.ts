import { expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { edit, finish, perRun } from '../../../harness/script-steps.ts';
import { startInWorld } from '../../../harness/start-service.ts';
import { type Script, steps } from '../../../local/model/script.ts';
import { docsSite } from '../../support/worlds/docs-site.ts';
import { lookAt, readRuns } from '../../support/worlds/scenario.ts';
import { createWorld } from '../../support/worlds/world.ts';

const image = (start: string, size = 40) => Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(size, 1)]);
const png = image('\x89PNG\r\n\x1a\n');
const gif = image('GIF89a');
const webp = image('RIFF\x00\x00\x00\x00WEBPVP8 ');
const fourMebibytes = 4 * 1024 * 1024;

const done = finish('Says the limit.', { title: 'Say the limit', description: 'Says it.' });
const changes = (...runs: Script[]) => perRun([steps([edit('limits.mdx', '60', '90'), done]), ...runs]);

const listSent = (body: unknown) =>
  [...JSON.stringify(body).matchAll(/data:(image\/\w+);base64,([\w+/=]+)/g)].map(([, type, data = '']) => [
    type,
    Buffer.from(data, 'base64'),
  ]);

test('the model sees the images of an API request and of a comment, and people hear of those that it does not see', async () => {
  await using world = await createWorld({
    files: docsSite,
    script: changes(steps([edit('limits.mdx', '90', '100'), finish('Says 100.')])),
  });
  await using service = await startInWorld(world, { OPENAI_IMAGES: 'true' });
  const { caller } = service;
  const images = [{ mediaType: 'image/png', data: png.toString('base64') }];
  const { id } = await caller.create('As here.', { images });
  await caller.settled(id);
  expect(listSent(world.model.requests[0]?.body)).toEqual([['image/png', png]]);
  expect((await lookAt(world).pullRequest(1)).body).not.toContain('not seen');

  const { github } = world;
  const addresses = [
    github.attach(gif),
    github.attach(webp),
    github.attach(Buffer.from('<svg onload="x"/>')),
    github.attach(image('GIF89a', fourMebibytes)),
    github.attach(gif, { status: 302 }),
    github.attach(png),
    'https://evil.example.com/user-attachments/assets/11111111-2222-3333-4444-555555555555',
  ];
  const asked = github
    .asPerson('rita')
    .comment(
      world.repository.fullName,
      1,
      `As in these:\n\n${addresses.map((address) => `![a](${address})`).join('\n')}`,
    );
  const [, second] = await eventually(async () => {
    const { runs } = await readRuns(caller, id);
    return runs.length === 2 && runs.every(({ status }) => status === 'ended') ? runs : undefined;
  });
  const requests = world.model.requests.slice(2);
  for (const { body } of requests)
    expect(listSent(body)).toEqual([
      ['image/gif', gif],
      ['image/webp', webp],
    ]);
  expect(JSON.stringify(requests[0]?.body)).toContain(
    'This message has 2 images: see below.\\n\\nYou do not see 5 of the images of this message.',
  );
  expect(second).toMatchObject({
    warnings: [
      '5 images were not seen: it is none of image/png, image/jpeg, image/webp, image/gif; it is larger than 4 MiB; it could not be loaded from GitHub; of each message, the first 5 are read.',
    ],
  });
  expect(github.requests.some(({ path }) => path === `/repos/acme/docs/issues/comments/${asked.id}`)).toBe(true);
  const kept = await world.database.database.selectFrom('message_images').select('content').execute();
  expect(kept).toHaveLength(8);
});

test('promise 40: where the model server refuses images, the run goes on without them, and says why', async () => {
  let asked = 0;
  const script: Script = (request) => {
    asked += 1;
    if (asked === 1) return { fault: { kind: 'status', status: 400, code: 'images are not supported' } };
    return changes()(request);
  };
  await using world = await createWorld({ files: docsSite, script });
  await using service = await startInWorld(world, { OPENAI_IMAGES: 'true' });
  const images = [{ mediaType: 'image/png', data: png.toString('base64') }];
  const { id } = await service.caller.create('As here.', { images });
  expect(await service.caller.settled(id)).toMatchObject({ status: 'completed' });
  expect(world.model.requests.map(({ body }) => listSent(body).length)).toEqual([1, 0, 0]);
  const [run] = (await readRuns(service.caller, id)).runs;
  expect(run).toMatchObject({
    warnings: [expect.stringMatching(/^1 image was not seen: the model server refused them: .+\.$/)],
  });
  expect((await lookAt(world).pullRequest(1)).body).toContain('(1 image was not seen)');
});

test('images in a service whose models see none are refused', async () => {
  await using world = await createWorld({ files: docsSite, script: changes() });
  await using service = await startInWorld(world);
  const images = [{ mediaType: 'image/png', data: png.toString('base64') }];
  await expect(service.caller.create('As here.', { images })).rejects.toThrow(
    'images cannot be sent: the models of this service see no images',
  );
});

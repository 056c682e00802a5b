import { expect, test } from 'vitest';
import { createProject } from '../../../harness/create-project.ts';
import { jobShape, problemShape } from '../../support/doors/api.ts';
import { openApi } from '../../support/doors/open-api.ts';

const { db, api } = await openApi({ openai: { models: ['gpt-5'], images: true } });
const project = await createProject(db.database);
const key = project.key;
const path = `/v2/agent/${project.projectId}/job`;

const post = (body: unknown, headers = {}) => api.call('POST', path, { key, body, headers });
const pngOf = (bytes: number) => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(bytes - 8)]);
const png = pngOf(100).toString('base64');
const image = { mediaType: 'image/png', data: png };
const fourMebibytes = 4 * 1024 ** 2;

test.each<[string, unknown, string]>([
  ['no list', image, 'images must be a list of images'],
  ['six', Array(6).fill(image), 'images must not have more than 5 images'],
  ['an address', ['https://example.com/a.png'], 'images/0 must be an object'],
  ['no data', [{ mediaType: 'image/png' }], 'images/0/data is required'],
  ['a vector image', [{ mediaType: 'image/svg+xml', data: png }], 'images/0/mediaType must be one of: image/png'],
  ['a wrong type', [{ mediaType: 'image/gif', data: png }], 'images/0/data is image/png, not image/gif'],
  ['a text', [{ mediaType: 'image/png', data: 'aGVsbG8=' }], 'images/0/data must be an image: image/png'],
  ['nothing', [{ mediaType: 'image/png', data: '' }], 'images/0/data must be base64, with padding'],
  ['no base64', [{ mediaType: 'image/png', data: `${png}!` }], 'images/0/data must be base64, with padding'],
  ['a data URL', [{ mediaType: 'image/png', data: `data:image/png;base64,${png}` }], 'images/0/data must be base64'],
  ['more fields', [{ ...image, name: 'a.png' }], 'images/0 takes only mediaType and data'],
  [
    'too many bytes',
    [{ mediaType: 'image/png', data: pngOf(fourMebibytes + 1).toString('base64') }],
    'images/0/data must not exceed 4 MiB',
  ],
])('images that are %s are refused, with the reason', async (_, images, reason) => {
  const answer = await post({ prompt: 'As here.', images });
  expect(answer.status).toBe(400);
  expect(problemShape.parse(answer.body).detail).toContain(reason);
});

test('five images of four MiB are accepted, and a follow-up may have others', async () => {
  const largest = { mediaType: 'image/png', data: pngOf(fourMebibytes).toString('base64') };
  const answer = await post({ prompt: 'As here.', images: Array(5).fill(largest) });
  expect(answer.status).toBe(201);
  const { id } = jobShape.parse(answer.body);
  const message = { prompt: 'And here.', images: [image] };
  expect((await api.call('POST', `${path}/${id}/message`, { key, body: message })).status).toBe(200);
  const stored = await db.database
    .selectFrom('message_images')
    .innerJoin('messages', 'messages.message_id', 'message_images.message_id')
    .select(({ fn }) => fn<number>('length', ['content']).as('bytes'))
    .where('job_id', '=', id)
    .execute();
  expect(stored.map(({ bytes }) => bytes)).toEqual([...Array(5).fill(fourMebibytes), 100]);
});

test('promise 23: another image with the same Idempotency-Key is another request', async () => {
  const headers = { 'idempotency-key': 'with-image' };
  const answers = [
    await post({ prompt: 'As here.', images: [image] }, headers),
    await post({ prompt: 'As here.', images: [image] }, headers),
    await post({ prompt: 'As here.', images: [{ ...image, data: pngOf(101).toString('base64') }] }, headers),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 422]);
});

test('promise 42: megabytes of brackets are refused before they are parsed', async () => {
  const answer = await post(`{"prompt": "x", "images": [${'[],'.repeat(5_000_000)}[]]}`);
  expect(answer.status).toBe(413);
  expect(problemShape.parse(answer.body).detail).toBe('The body has too many values. Only images may be large.');
});

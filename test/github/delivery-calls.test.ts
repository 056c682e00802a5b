import nock from 'nock';
import { describe, expect, test } from 'vitest';
import { AmbiguousWrite } from '../../src/github/ambiguous-write.ts';
import { createApp } from './create-app.ts';

const github = () => nock('https://api.github.com');
const since = new Date('2026-11-18T00:00:00Z');
const delivery = (more: object = {}) => ({
  id: 3,
  guid: '0b989ba4-242f-11e5-81e1-c7b6966d2516',
  delivered_at: '2026-11-20T12:00:00Z',
  redelivery: false,
  duration: 0.3,
  status: 'OK',
  status_code: 202,
  event: 'issue_comment',
  action: 'created',
  installation_id: 9,
  repository_id: 42,
  ...more,
});

describe('the webhook deliveries', () => {
  test('are listed newest first, over all pages, and no further back than asked', async () => {
    const link = (cursor: string) =>
      `<https://api.github.com/app/hook/deliveries?per_page=100&cursor=${cursor}>; rel="next"`;
    github()
      .get('/app/hook/deliveries?per_page=100')
      .reply(200, [delivery({ id: 3 }), delivery({ id: 2 })], { link: link('v1_2') });
    github()
      .get('/app/hook/deliveries?per_page=100&cursor=v1_2')
      .reply(200, [delivery({ id: 1 }), delivery({ id: 0, delivered_at: '2026-11-17T23:59:59Z' })], {
        link: link('v1_0'),
      });
    const listed = await createApp().listDeliveries({ since });
    expect(listed.map(({ id }) => id)).toEqual([3, 2, 1]);
    expect(listed[0]).toEqual({
      id: 3,
      deliveryId: '0b989ba4-242f-11e5-81e1-c7b6966d2516',
      deliveredAt: new Date('2026-11-20T12:00:00Z'),
      isSuccess: true,
      isRedelivery: false,
      event: 'issue_comment',
      action: 'created',
    });
  });

  test.each([
    [200, true],
    [302, true],
    [400, false],
    [500, false],
    [0, false],
  ])('answered with %i are a success: %s', async (status_code, isSuccess) => {
    github()
      .get('/app/hook/deliveries?per_page=100')
      .reply(200, [delivery({ status_code, action: null, redelivery: true })]);
    expect(await createApp().listDeliveries({ since })).toMatchObject([
      { isSuccess, action: null, isRedelivery: true },
    ]);
  });

  test('may be none', async () => {
    const link = '<https://api.github.com/app/hook/deliveries?cursor=v1_0>; rel="next"';
    github().get('/app/hook/deliveries?per_page=100').reply(200, [], { link });
    expect(await createApp().listDeliveries({ since })).toEqual([]);
  });

  test('that could not be listed are not an empty list', async () => {
    github().get('/app/hook/deliveries?per_page=100').reply(404, { message: 'Not Found' });
    await expect(createApp().listDeliveries({ since })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a delivery', () => {
  const path = '/app/hook/deliveries/3/attempts';

  test.each([['{}'], ['']])('is asked for again, whether the 202 has the body “%s”', async (body) => {
    github().post(path).reply(202, body, { 'content-type': 'application/json' });
    await createApp().redeliver(3);
  });

  test.each([404, 422])('that GitHub answers with %i is left alone', async (status) => {
    github().post(path).reply(status, { message: 'no' });
    await createApp().redeliver(3);
  });

  test('is asked for once, whatever GitHub answers', async () => {
    github().post(path).reply(502);
    await expect(createApp().redeliver(3)).rejects.toBeInstanceOf(AmbiguousWrite);
  });
});

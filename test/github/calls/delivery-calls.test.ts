import nock from 'nock';
import { describe, expect, test } from 'vitest';
import { AmbiguousWrite } from '../../../src/github/refusals/errors.ts';
import { createApp } from '../create-app.ts';

const github = () => nock('https://api.github.com');
const { signal } = new AbortController();
const since = new Date('2026-11-18T00:00:00Z');
const delivery = (more: object = {}) => ({
  id: 3,
  guid: '0b989ba4-242f-11e5-81e1-c7b6966d2516',
  delivered_at: '2026-11-20T12:00:00Z',
  status_code: 502,
  ...more,
});

const path = '/app/hook/deliveries?per_page=100';

async function list() {
  const pages = await Array.fromAsync(createApp().listDeliveries({ since, signal }));
  return pages.flatMap(({ deliveries }) => deliveries);
}

describe('the webhook deliveries', () => {
  test('are listed newest first, over all pages, back to a given time', async () => {
    const link = (cursor: string) => `<https://api.github.com${path}&cursor=${cursor}>; rel="next"`;
    github()
      .get(path)
      .reply(200, [delivery({ id: 3 }), delivery({ id: 2 })], { link: link('v1_2') });
    github()
      .get(`${path}&cursor=v1_2`)
      .reply(200, [delivery({ id: 1 }), delivery({ id: 0, delivered_at: '2026-11-17T23:59:59Z' })], {
        link: link('v1_0'),
      });
    const listed = await list();
    expect(listed.map(({ attemptId }) => attemptId)).toEqual(['3', '2', '1']);
    expect(listed[0]).toEqual({
      attemptId: '3',
      deliveryId: '0b989ba4-242f-11e5-81e1-c7b6966d2516',
      deliveredAt: new Date('2026-11-20T12:00:00Z'),
      isSuccess: false,
      status: 502,
    });
  });

  test('keep every digit of their ids', async () => {
    const body = JSON.stringify([delivery()]).replace('"id":3', '"id":3842091948768772097');
    github().get(path).reply(200, body, { 'content-type': 'application/json' });
    const [found] = await list();
    expect(found?.attemptId).toBe('3842091948768772097');
    github().post(`/app/hook/deliveries/${found?.attemptId}/attempts`).reply(202, {});
    await createApp().redeliver(found?.attemptId ?? '', signal);
  });

  test.each([
    [202, true],
    [200, false],
    [302, false],
    [400, false],
    [502, false],
    [0, false],
  ])('with status %i are successful: %s', async (status_code, isSuccess) => {
    github()
      .get(path)
      .reply(200, [delivery({ status_code })]);
    expect(await list()).toMatchObject([{ isSuccess }]);
  });

  test('may be none', async () => {
    github()
      .get(path)
      .reply(200, [], { link: `<https://api.github.com${path}&cursor=v1_0>; rel="next"` });
    expect(await list()).toEqual([]);
  });
});

describe('a delivery', () => {
  const attempts = '/app/hook/deliveries/3/attempts';

  test.each([['{}'], ['']])('is redelivered, also when the 202 has the body “%s”', async (body) => {
    github().post(attempts).reply(202, body, { 'content-type': 'application/json' });
    await createApp().redeliver('3', signal);
  });

  test.each([404, 422])('is ignored when GitHub answers %i', async (status) => {
    github().post(attempts).reply(status, { message: 'no' });
    await createApp().redeliver('3', signal);
  });

  test('is requested once, whatever GitHub answers', async () => {
    github().post(attempts).reply(502);
    await expect(createApp().redeliver('3', signal)).rejects.toBeInstanceOf(AmbiguousWrite);
  });
});

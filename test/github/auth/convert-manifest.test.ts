import nock from 'nock';
import { expect, test } from 'vitest';
import { convertManifest } from '../../../src/github/auth/convert-manifest.ts';
import { AmbiguousWrite } from '../../../src/github/refusals/errors.ts';

const path = '/app-manifests/c0de/conversions';
const github = () => nock('https://api.github.com', { badheaders: ['authorization'] });
const convert = (apiUrl = 'https://api.github.com') =>
  convertManifest({ transport: { apiUrl }, code: 'c0de', signal: new AbortController().signal });
const body = (more: object = {}) => ({
  id: 5,
  slug: 'pagewright',
  name: 'Pagewright',
  pem: '-----BEGIN RSA PRIVATE KEY-----\n',
  webhook_secret: 'hush',
  client_id: 'Iv1.x',
  client_secret: 'hush too',
  html_url: 'https://github.com/apps/pagewright',
  owner: { login: 'acme', id: 1 },
  ...more,
});

test('a manifest is converted to credentials without authentication', async () => {
  github().post(path).reply(201, body());
  expect(await convert()).toEqual({
    appId: 5,
    slug: 'pagewright',
    name: 'Pagewright',
    privateKey: '-----BEGIN RSA PRIVATE KEY-----\n',
    webhookSecret: 'hush',
    clientId: 'Iv1.x',
    clientSecret: 'hush too',
    url: 'https://github.com/apps/pagewright',
    owner: 'acme',
  });
});

test.each([
  ['without a webhook has no secret', { webhook_secret: null }, { webhookSecret: null }],
  ['of an enterprise is owned by its slug', { owner: { slug: 'acme-corp' } }, { owner: 'acme-corp' }],
  ['without an owner has none', { owner: null }, { owner: null }],
])('a new App %s', async (_name, fields, expected) => {
  github().post(path).reply(201, body(fields));
  expect(await convert()).toMatchObject(expected);
});

test('a manifest is converted on the configured server', async () => {
  nock('https://ghe.example').post(`/api/v3${path}`).reply(201, body());
  expect(await convert('https://ghe.example/api/v3')).toMatchObject({ appId: 5 });
});

test('a used or expired code returns undefined', async () => {
  github().post(path).reply(404, { message: 'Not Found' });
  expect(await convert()).toBeUndefined();
});

test('the error for a refused code does not contain the code', async () => {
  github().post(path).reply(422, { message: 'Validation Failed' });
  await expect(convert()).rejects.toMatchObject({
    reason: 'refused',
    message: 'GitHub refused to take over the new App from its manifest: Validation Failed.',
  });
});

test.each([
  ['fails', 502, ''],
  ['leaves out a secret', 201, { ...body(), pem: undefined }],
])('a code is sent once and is ambiguous when GitHub %s', async (_name, status, answer) => {
  github().post(path).reply(status, answer);
  await expect(convert()).rejects.toBeInstanceOf(AmbiguousWrite);
});

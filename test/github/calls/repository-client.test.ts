import nock from 'nock';
import { describe, expect, test } from 'vitest';
import { repositoryBody } from '../bodies.ts';
import { createClient } from '../create-client.ts';

const repository = () => nock('https://api.github.com');
const docs = '/repos/acme/docs';

describe('fetchRepository', () => {
  test('returns the current name and state', async () => {
    repository()
      .get(docs)
      .reply(200, repositoryBody({ archived: true, size: 3_000 }));
    expect(await createClient().fetchRepository()).toEqual({
      repositoryId: 42,
      owner: 'acme',
      repo: 'docs',
      fullName: 'acme/docs',
      isPrivate: false,
      defaultBranch: 'main',
      archived: true,
      disabled: false,
      hasPullRequests: true,
      visibility: 'public',
      bytes: 3_000 * 1024,
    });
  });

  test('ends the run when the repository is gone', async () => {
    repository().get(docs).reply(404, { message: 'Not Found' });
    await expect(createClient().fetchRepository()).rejects.toMatchObject({ reason: 'repository_gone' });
  });

  test('ends the run when another repository has the name', async () => {
    repository()
      .get(docs)
      .reply(200, repositoryBody({ id: 43 }));
    await expect(createClient().fetchRepository()).rejects.toMatchObject({ reason: 'repository_gone' });
  });
});

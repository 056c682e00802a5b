import { expect, test } from 'vitest';
import { createProject } from '../../../harness/create-project.ts';
import { endpoints } from '../../../src/http/api/endpoints.ts';
import { openApi } from '../../support/doors/open-api.ts';

const { db, api } = await openApi();
const project = await createProject(db.database, { repositoryId: 1, repo: 'docs' });

const ofSpecification = ['post /job', 'get /job/{jobId}', 'post /job/{jobId}/message'];
const names = endpoints.map(({ method, path }) => `${method} ${path}`);

/** To a job or webhook that does not exist. */
async function ask(name: string) {
  const [method = '', path = ''] = name.split(' ');
  const { projectId, key } = project;
  const where = path.replaceAll(/\{(\w+)\}/g, 'unknown');
  const body = ofSpecification.includes(name) && method === 'post' ? { prompt: '' } : undefined;
  return api.call(method.toUpperCase(), `/v2/agent/${projectId}${where}?colour=red`, { key, body });
}

test.each(names.filter((name) => !ofSpecification.includes(name)))(
  '%s refuses an unknown query parameter, and names it',
  async (name) => {
    const { status, text } = await ask(name);
    expect([status, text]).toEqual([400, expect.stringMatching(/"parameter":"colour","detail":"is unknown/)]);
  },
);

test.each(ofSpecification)('%s ignores an unknown query parameter', async (name) => {
  expect(names).toContain(name);
  const { status, text } = await ask(name);
  expect([400, 404]).toContain(status);
  expect(text).not.toContain('colour');
});

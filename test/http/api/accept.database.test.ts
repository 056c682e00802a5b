import { describe, expect, test } from 'vitest';
import { createProject } from '../../../harness/create-project.ts';
import { openStream } from '../../../harness/open-stream.ts';
import { acceptJob } from '../../support/databases/jobs.ts';
import { openApi } from '../../support/doors/open-api.ts';

const { db, api } = await openApi();
const project = await createProject(db.database);
const { key } = project;
const job = `/v2/agent/${project.projectId}/job/${(await acceptJob(db.store, project.projectId)).job_id}`;

describe('the change of a job', () => {
  const json = 'application/json; charset=utf-8';
  const text = 'text/x-diff; charset=utf-8';
  test.each([
    ['*/*', text],
    ['text/html', text],
    ['text/x-diff', text],
    ['application/json', json],
    ['application/json; charset=utf-8', json],
    ['application/json, */*', json],
    ['application/json;q=0.5, text/x-diff', text],
    ['application/json, text/x-diff;q=0.5', json],
    ['*/*, application/json;q=0.1', text],
    ['application/json;q=0', text],
  ])('with Accept: %s is %s', async (accept, type) => {
    const { status, headers } = await api.call('GET', `${job}/diff`, { key, headers: { accept } });
    expect([status, headers.get('content-type'), headers.get('vary')]).toEqual([200, type, 'Accept']);
  });
});

describe('the events of a job', () => {
  test.each([
    '*/*',
    'text/html',
    'application/json',
    'application/json; charset=utf-8',
    'application/json, text/event-stream;q=0.9',
    'text/event-stream;q=0',
  ])('with Accept: %s are JSON', async (accept) => {
    const { headers } = await api.call('GET', `${job}/events`, { key, headers: { accept } });
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test.each([
    'text/event-stream',
    'Text/Event-Stream',
    'text/event-stream; charset=utf-8',
    'text/event-stream, */*;q=0.1',
    'application/json;q=0.9, text/event-stream',
  ])('with Accept: %s are a stream', async (accept) => {
    using stream = await openStream(`${api.url}${job}/events`, { key, headers: { accept } });
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  });
});

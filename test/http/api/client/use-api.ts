import createClient from 'openapi-fetch';
// Generated from the description by the test that copies this file beside it.
import type { paths } from './schema.ts';

const pollEveryMs = 100;

/** Uses every kind of route as a program of a caller does, through the client that the description's types check. */
export async function useApi({ url, projectId, key }: { url: string; projectId: string; key: string }) {
  const client = createClient<paths>({ baseUrl: url, headers: { authorization: `Bearer ${key}` } });
  const ofProject = { projectId };

  const created = await client.POST('/v2/agent/{projectId}/job', {
    params: { path: ofProject, header: { 'Idempotency-Key': 'one' } },
    body: { prompt: 'Make it 100.' },
  });
  if (!created.data) throw new Error(created.error.detail);
  const path = { projectId, jobId: created.data.id };

  let job = created.data;
  while (job.status === 'active') {
    await new Promise((resolve) => setTimeout(resolve, pollEveryMs));
    const read = await client.GET('/v2/agent/{projectId}/job/{jobId}', { params: { path } });
    if (!read.data) throw new Error(read.error.detail);
    job = read.data;
  }

  const query = { status: 'completed,failed', limit: 5 };
  const { data: jobs } = await client.GET('/v2/agent/{projectId}/job', { params: { path: ofProject, query } });
  const { data: messages } = await client.GET('/v2/agent/{projectId}/job/{jobId}/messages', { params: { path } });
  const { data: runs } = await client.GET('/v2/agent/{projectId}/job/{jobId}/runs', { params: { path } });
  const runId = runs?.runs[0]?.id ?? '';
  const { data: turns } = await client.GET('/v2/agent/{projectId}/job/{jobId}/runs/{runId}/turns', {
    params: { path: { ...path, runId } },
  });
  const { data: events } = await client.GET('/v2/agent/{projectId}/job/{jobId}/events', {
    params: { path, query: { after: 0 } },
  });
  const { data: diff } = await client.GET('/v2/agent/{projectId}/job/{jobId}/diff', {
    params: { path },
    headers: { accept: 'application/json' },
  });
  const { data: text } = await client.GET('/v2/agent/{projectId}/job/{jobId}/diff', {
    params: { path },
    parseAs: 'text',
  });
  const archived = await client.POST('/v2/agent/{projectId}/job/{jobId}/archive', { params: { path } });
  const refused = await client.POST('/v2/agent/{projectId}/job/{jobId}/message', {
    params: { path },
    body: { prompt: 'More.' },
  });
  const back = await client.POST('/v2/agent/{projectId}/job/{jobId}/unarchive', { params: { path } });
  return {
    job,
    listed: jobs?.jobs.map(({ id }) => id),
    answers: messages?.messages.map(({ answer }) => answer),
    codes: runs?.runs.map(({ code }) => code),
    tools: turns?.turns.flatMap(({ calls }) => calls.map(({ name }) => name)),
    types: typeof events === 'object' ? events.events.map(({ type }) => type) : undefined,
    changed: typeof diff === 'object' ? diff.files.map(({ path: file }) => file) : undefined,
    text,
    archived: archived.data?.status,
    refusedBy: refused.error?.type,
    back: back.data?.status,
  };
}

import { z } from 'zod';
import { isId } from '../../../ids.ts';
import { listShownTurns } from '../../../jobs/list-shown-turns.ts';
import { listRunsOfJob } from '../../../store/lists/list-runs.ts';
import { findRun } from '../../../store/tables/jobs/runs.ts';
import { describeResponse } from '../description/responses.ts';
import { component, countSchema, textOrNull } from '../description/shared-schemas.ts';
import type { ApiParts, Endpoint } from '../endpoint.ts';
import { readRequestedJobId } from '../jobs/job-resource.ts';
import { createListHandler, describePage, pageQuery } from '../requests/lists.ts';
import { resourceNotFound } from '../requests/project-route.ts';
import { runsSchema, toRunsResource } from './runs-resource.ts';

const listRuns: Endpoint = {
  method: 'get',
  path: '/job/{jobId}/runs',
  operationId: 'listRuns',
  summary: 'List the runs of a job',
  description: 'Newest first, with their messages and effects, in one snapshot.',
  query: pageQuery,
  answers: { 200: describeResponse('A page of runs.', runsSchema) },
  handle: createListHandler({
    name: 'runs',
    find: readRequestedJobId,
    async read(database, jobId, page) {
      const runs = await listRunsOfJob(database, jobId, page);
      return { body: toRunsResource(runs), next: runs.next };
    },
  }),
};

const turnSchema = component('Turn', {
  text: textOrNull('The text of the model. `null` until it has answered.', 'I read the page.'),
  calls: z.array(
    z.object({
      name: z.string().meta({ example: 'read_file' }),
      arguments: z.string().meta({ description: 'The model’s JSON, as text.', example: '{"path": "index.md"}' }),
      result: textOrNull('The result of the tool. `null` until there is one.', '# Acme'),
      isError: z.boolean().describe('Whether the call failed.'),
    }),
  ),
  tokensIn: countSchema,
  tokensCached: countSchema.describe('The part of `tokensIn` that the model’s provider had cached.'),
  tokensOut: countSchema,
  durationMs: countSchema
    .nullable()
    .describe('The duration of the request and its calls. `null` until the turn has ended.'),
});

const listTurnsEndpoint: Endpoint = {
  method: 'get',
  path: '/job/{jobId}/runs/{runId}/turns',
  operationId: 'listTurns',
  summary: 'List the turns of a run',
  description:
    'Newest first. Long texts, arguments and results are cut, and say how much was cut. Turns are removed after `TURNS_RETENTION_DAYS`.',
  query: pageQuery,
  answers: { 200: describePage('turns', turnSchema) },
  handle: createListHandler({
    name: 'turns',
    async find(store, call) {
      const jobId = await readRequestedJobId(store, call);
      const runId = String(call.request.params.runId);
      const run = isId('run', runId) ? await findRun(store.database, runId) : undefined;
      if (run?.job_id !== jobId) throw resourceNotFound();
      return runId;
    },
    async read(database, runId, page, { redact }: ApiParts) {
      const { items, next } = await listShownTurns(database, { runId, redact }, page);
      return { body: { turns: items.map(({ index: _index, ...turn }) => turn) }, next };
    },
  }),
};

export const runEndpoints: readonly Endpoint[] = [listRuns, listTurnsEndpoint];

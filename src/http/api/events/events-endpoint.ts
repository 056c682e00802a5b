import { z } from 'zod';
import type { Database } from '../../../store/postgres/database.ts';
import { isApiKeyUsable } from '../../../store/tables/access/api-keys.ts';
import { findKeptEvents, listEvents } from '../../../store/tables/jobs/events.ts';
import { HttpProblem } from '../../problem.ts';
import { describeResponse } from '../description/responses.ts';
import type { Endpoint } from '../endpoint.ts';
import { readRequestedJob } from '../jobs/job-resource.ts';
import { countParameter } from '../requests/lists.ts';
import { type ApiRequest, prefersType } from '../requests/project-route.ts';
import { readQuery } from '../requests/read-request.ts';
import { eventsSchema, frameExample, toEventResource } from './event-resource.ts';

const maxEvents = 500;
const maxSeq = 2 ** 31 - 1;

const seqError = `must be a whole number from 0 to ${maxSeq}`;
const seqParameter = countParameter({ least: 0, most: maxSeq, error: seqError });

const query = z.object({
  after: seqParameter.optional().meta({
    description: 'Only events after this `seq`.',
    override: { type: 'integer', minimum: 0, maximum: maxSeq, default: 0 },
  }),
  limit: countParameter({ least: 1, most: maxEvents, error: `must be a whole number from 1 to ${maxEvents}` })
    .optional()
    .meta({
      description: 'The most events to return as JSON.',
      override: { type: 'integer', minimum: 1, maximum: maxEvents, default: maxEvents },
    }),
});

const header = z.object({
  'Last-Event-ID': z
    .string()
    .optional()
    .meta({ description: 'The `id` of the last event received. Overrides `after`.', example: '7' }),
});

export const eventsEndpoint: Endpoint = {
  method: 'get',
  path: '/job/{jobId}/events',
  operationId: 'listEvents',
  summary: 'Follow the events of a job',
  description:
    'With `Accept: text/event-stream`, sends each event as it happens, and a comment every 15 seconds; a cut connection resumes after `Last-Event-ID`. Otherwise returns the events so far as JSON. The stream of a finished job stays open. Events are kept as long as turns.',
  query,
  header,
  answers: {
    200: {
      ...describeResponse('The events after `after`.', eventsSchema),
      content: {
        'application/json': { schema: eventsSchema },
        'text/event-stream': {
          schema: z
            .string()
            .describe('Server-sent events: `id` is the `seq`, `event` the `type`, `data` the whole event as JSON.'),
          example: frameExample,
        },
      },
    },
  },
  problems: ['events-gone', 'too-many-streams'],
  handle: async (call, { store, sendEvents }) => {
    const { request, apiKey } = call;
    const isStream = prefersType(request, 'text/event-stream', 'application/json');
    const { after: afterQuery = 0, limit = maxEvents } = readQuery(call, query);
    // EventSource repeats the address of its first request.
    const after = readLastEventId(request) ?? afterQuery;
    const { jobId, events } = await call.withDeadline(async (storeInTime) => {
      const { job_id: jobId } = await readRequestedJob(storeInTime, call);
      await requireKept(storeInTime.database, { jobId, after });
      return { jobId, events: isStream ? [] : await listEvents(storeInTime.database, { jobId, after, limit }) };
    });
    if (!isStream)
      return { status: 200, body: { events: events.map(toEventResource), next: events.at(-1)?.seq ?? after } };
    const reader = apiKey.key_id;
    const isAllowed = () => isApiKeyUsable(store.database, reader);
    return { stream: (response) => sendEvents(response, { jobId, after, reader, isAllowed }) };
  },
};

function readLastEventId({ headers }: ApiRequest): number | undefined {
  const sent = headers['last-event-id'];
  if (sent === undefined || sent === '') return undefined;
  const parsed = seqParameter.safeParse(sent);
  if (parsed.success) return parsed.data;
  throw new HttpProblem('invalid-request', `Invalid request: the header Last-Event-ID ${seqError}.`);
}

/** After a restored backup, a caller may know events that the job no longer has. A wrong number looks the same. */
async function requireKept(database: Database, { jobId, after }: { jobId: string; after: number }): Promise<void> {
  const { first, next } = await findKeptEvents(database, jobId);
  if (after + 1 >= first && after < next) return;
  const gone =
    after < next
      ? `The events before ${first} were removed.`
      : `This job has no event ${after}: its last is ${next - 1}. Perhaps the service was restored from a backup.`;
  throw new HttpProblem('events-gone', `${gone} Read on with \`after=${first - 1}\`.`, {
    extensions: { firstSeq: first },
  });
}

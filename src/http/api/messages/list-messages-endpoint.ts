import { z } from 'zod';
import { type AnsweredMessage, listShownMessages } from '../../../jobs/list-shown-messages.ts';
import { runIdExample } from '../description/parameters.ts';
import type { Endpoint } from '../endpoint.ts';
import { readRequestedJob } from '../jobs/read-job.ts';
import { describePage, pageQuery, readNumberedPage } from '../requests/page-query.ts';
import { readQuery } from '../requests/read-query.ts';
import { messageFields } from './message-fields.ts';

const { id, state, source, author, createdAt } = messageFields;

const listedMessageSchema = z
  .object({
    id,
    state,
    source,
    author,
    text: z.string().meta({ example: 'Document the new rate limit.' }),
    createdAt,
    runId: z.string().nullable().meta({ description: 'The run that took the message.', example: runIdExample }),
    answer: z.string().nullable().meta({
      description: 'The answer of the run, or why the run failed. `null` until there is an answer.',
      example: 'The errors page says 100 requests a minute now.',
    }),
  })
  .meta({ id: 'ListedMessage' });

export const listMessagesEndpoint: Endpoint = {
  method: 'get',
  path: '/job/{jobId}/messages',
  operationId: 'listMessages',
  summary: 'List the messages of a job',
  description: 'Newest first, with their answers.',
  tag: 'jobs',
  query: pageQuery,
  answers: {
    200: describePage('messages', listedMessageSchema),
  },
  createHandler:
    ({ cursors }) =>
    async (call) => {
      const asked = readQuery(call, pageQuery);
      return call.withDeadline(async (storeInTime) => {
        const { job_id: jobId } = await readRequestedJob(storeInTime, call);
        const list = [call.projectId, 'messages', jobId];
        const { items, nextCursor } = await readNumberedPage({ cursors, list, asked }, (page) =>
          listShownMessages(storeInTime.database, jobId, page),
        );
        return { status: 200, body: { messages: items.map(toResource), nextCursor } };
      });
    },
};

const toResource = ({ message, answer }: AnsweredMessage): z.infer<typeof listedMessageSchema> => ({
  id: message.message_id,
  state: message.state,
  source: message.source,
  author: message.author,
  text: message.prompt,
  createdAt: message.created_at.toISOString(),
  runId: message.run_id,
  answer,
});

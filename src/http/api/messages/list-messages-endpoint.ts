import { z } from 'zod';
import { type AnsweredMessage, listMessages } from '../../../lists/list-messages.ts';
import { always, messageIdExample, ofJob, runIdExample, timeSchema } from '../description/parameters.ts';
import { describeProblems, describeResponse } from '../description/responses.ts';
import type { Endpoint } from '../endpoint.ts';
import { readJob } from '../jobs/read-job.ts';
import { nextCursorSchema, pageQuery, readNumberedPage } from '../requests/page-query.ts';
import { readQuery } from '../requests/read-query.ts';

const listedMessageSchema = z
  .object({
    id: z.string().meta({ example: messageIdExample }),
    state: z.enum(['waiting', 'taken', 'answered', 'dropped']).meta({ example: 'answered' }),
    source: z.enum(['api', 'comment', 'review', 'dashboard']),
    author: z.string().meta({ description: 'A GitHub login, or the name of an API key.', example: 'ci' }),
    text: z.string().meta({ example: 'Document the new rate limit.' }),
    createdAt: timeSchema,
    runId: z.string().nullable().meta({ description: 'The run that took the message.', example: runIdExample }),
    answer: z.string().nullable().meta({
      description: 'What the run said to it, or why the run failed. `null` until there is an answer.',
      example: 'The errors page says 100 requests a minute now.',
    }),
  })
  .meta({ id: 'ListedMessage' });

export const listMessagesEndpoint: Endpoint = {
  method: 'get',
  path: '/job/{jobId}/messages',
  operation: {
    operationId: 'listMessages',
    summary: 'List the messages of a job',
    description: 'Newest first, with their answers.',
    tags: ['jobs'],
    requestParams: { ...ofJob, query: pageQuery },
    responses: {
      200: describeResponse(
        'A page of messages.',
        z.object({ messages: z.array(listedMessageSchema), nextCursor: nextCursorSchema }),
      ),
      ...describeProblems(...always),
    },
  },
  createHandler:
    ({ cursors }) =>
    async (call) => {
      const asked = readQuery(call, pageQuery);
      return call.withDeadline(async (storeInTime) => {
        const { job_id: jobId } = await readJob(storeInTime, call);
        const list = [call.projectId, 'messages', jobId];
        const { items, nextCursor } = await readNumberedPage({ cursors, list, asked }, (page) =>
          listMessages(storeInTime.database, jobId, page),
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

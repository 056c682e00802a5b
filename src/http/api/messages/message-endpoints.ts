import { z } from 'zod';
import { addMessage } from '../../../jobs/add-message.ts';
import { type AnsweredMessage, listShownMessages } from '../../../jobs/list-shown-turns.ts';
import { acceptanceHeaders, describeResponse, withExample } from '../description/responses.ts';
import { component, idempotencyHeader, ofAcceptance, runIdExample, textOrNull } from '../description/shared-schemas.ts';
import type { Endpoint } from '../endpoint.ts';
import {
  activeJobExample,
  jobSchema,
  messageFields,
  readRequestedJob,
  readRequestedJobId,
  replyJob,
} from '../jobs/job-resource.ts';
import { acceptOncePerKey } from '../requests/accept-once-per-key.ts';
import { createListHandler, describePage, pageQuery } from '../requests/lists.ts';
import { readRequest } from '../requests/read-request.ts';
import { describeRefusal, formatRateLimit } from '../requests/refusal.ts';
import { createMessageBody, digestImages, maxBodyBytes } from './message-body.ts';

/** Checks the body before it looks up the job, so that a bad request does not reveal which jobs exist. */
const addMessageEndpoint: Endpoint = {
  method: 'post',
  path: '/job/{jobId}/message',
  ignoresQuery: true,
  operationId: 'addMessage',
  summary: 'Send a follow-up message',
  description:
    'A live run receives the message at its next turn. Otherwise a new run starts, on the same branch and pull request.',
  header: idempotencyHeader,
  body: createMessageBody({ images: true }),
  answers: {
    200: withExample(describeResponse('The job, now active.', jobSchema, acceptanceHeaders), activeJobExample),
  },
  problems: ['job-archived', ...ofAcceptance, 'too-many-waiting'],
  createHandler(parts) {
    const { config, keyWaits, changes } = parts;
    const schema = createMessageBody(config.openai);
    const maxBytes = maxBodyBytes(config.openai);
    return async (call) => {
      const { images = [], ...request } = await readRequest(call, { schema, maxBytes });
      const target = `message ${call.request.params.jobId}`;
      const { projectId, apiKey, left } = call;
      const named = await changes.readAtOnce(request.prompt, { projectId, signal: left });
      const content = images.length === 0 ? request : { ...request, images: digestImages(images) };
      return acceptOncePerKey(call, { target, body: content, keyWaits }, async (storeInTime) => {
        const { job_id: jobId } = await readRequestedJob(storeInTime, call);
        const origin = { source: 'api', author: apiKey.name, keyId: apiKey.key_id } as const;
        const followUp = { jobId, projectId, ...origin, ...request, changes: named, images, ...config.projectLimits };
        const result = await addMessage(storeInTime, followUp);
        if (result.kind !== 'accepted') throw describeRefusal(result);
        return replyJob(result.job, call, parts, formatRateLimit(result.rate));
      });
    };
  },
};

const { id, state, source, author, createdAt } = messageFields;

const listedMessageSchema = component('ListedMessage', {
  id,
  state,
  source,
  author,
  text: z.string().meta({ example: 'Document the new rate limit.' }),
  createdAt,
  runId: textOrNull('The run that took the message.', runIdExample),
  answer: textOrNull(
    'The answer of the run, or why the run failed. `null` until there is an answer.',
    'The errors page says 100 requests a minute now.',
  ),
});

const listMessagesEndpoint: Endpoint = {
  method: 'get',
  path: '/job/{jobId}/messages',
  operationId: 'listMessages',
  summary: 'List the messages of a job',
  description: 'Newest first, with their answers.',
  query: pageQuery,
  answers: { 200: describePage('messages', listedMessageSchema) },
  handle: createListHandler({
    name: 'messages',
    find: readRequestedJobId,
    async read(database, jobId, page) {
      const { items, next } = await listShownMessages(database, jobId, page);
      return { body: { messages: items.map(toResource) }, next };
    },
  }),
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

export const messageEndpoints: readonly Endpoint[] = [addMessageEndpoint, listMessagesEndpoint];

import {
  added,
  argumentsDelta,
  completed,
  done,
  extraForbidden,
  functionCall,
  outputMessage,
  refusal,
  response,
  responsesFinish,
  responsesText,
} from './answers.ts';
import { type Bend, ending } from './bend.ts';
import { type Answer, listItems, type Reply } from './dialect-server.ts';

const replied =
  (reply: Reply): Answer =>
  ({ turn }) =>
    turn === 0 ? { isOpen: true, ...reply } : responsesFinish();
const bent = (...events: object[]): Answer => replied({ events });
const refusing =
  (field: string, reply: Reply): Answer =>
  ({ body, turn }) =>
    field in body ? reply : turn === 0 ? { events: [completed([functionCall()])] } : responsesFinish();
const open = functionCall({ arguments: '', status: 'in_progress' });

export const responsesBends: Bend[] = [
  {
    bend: 'an empty output after streamed items (LiteLLM)',
    answer: bent(added(open), done(functionCall()), completed([])),
  },
  {
    bend: 'arguments only in the deltas',
    answer: bent(added(open), argumentsDelta('{"te'), argumentsDelta('xt":"hi"}'), completed([])),
  },
  {
    bend: 'arguments only in the deltas, and an item without them at the end',
    answer: bent(added(open), argumentsDelta('{"te'), argumentsDelta('xt":"hi"}'), done(open), completed([open])),
  },
  {
    bend: 'another id in each event (vLLM)',
    answer: bent(
      added({ ...open, id: 'x' }),
      argumentsDelta('{"te', { output_index: 0, item_id: 'y' }),
      argumentsDelta('xt":"hi"}', { output_index: 0, item_id: 'z' }),
      completed([]),
    ),
  },
  {
    bend: 'no output_index',
    answer: bent(
      { type: 'response.output_item.added', item: open },
      argumentsDelta('{"te', { item_id: 'fc_1' }),
      argumentsDelta('xt":"hi"}', { item_id: 'fc_1' }),
      completed([]),
    ),
  },
  {
    bend: 'output_index 0 for each item',
    answer: bent(
      added(outputMessage('So:')),
      done(outputMessage('So:')),
      added(open),
      done(functionCall()),
      completed([]),
    ),
  },
  {
    bend: 'the whole arguments once more',
    answer: bent(
      added(open),
      argumentsDelta('{"text":"hi"}'),
      { type: 'response.function_call_arguments.done', output_index: 0, arguments: '{"text":"hi"}' },
      done(functionCall()),
      done(functionCall()),
      completed([]),
    ),
  },
  { bend: 'arguments as an object', answer: bent(completed([functionCall({ arguments: { text: 'hi' } })])) },
  { bend: 'items without id', answer: bent(completed([functionCall({ id: undefined, status: undefined })])) },
  { bend: 'a call with an id, but without call_id', answer: bent(completed([functionCall({ call_id: undefined })])) },
  { bend: 'the last event missing after a whole call', answer: bent(added(open), done(functionCall())) },
  {
    bend: '[DONE] in place of the last event',
    answer: replied({ events: [added(open), done(functionCall())], isOpen: false }),
  },
  {
    bend: 'the status in upper case',
    answer: bent({ type: 'response.done', response: response([functionCall()], { status: 'COMPLETED' }) }),
  },
  { bend: 'no status', answer: bent({ type: 'response.completed', response: { output: [functionCall()] } }) },
  { bend: 'a status that the event contradicts', answer: bent(completed([functionCall()], { status: 'in_progress' })) },
  { bend: 'JSON although a stream was asked', answer: replied({ json: response([functionCall()]) }) },
  {
    bend: 'content as a text',
    answer: ({ turn }) =>
      turn === 0
        ? { events: [completed([functionCall()])] }
        : { events: [completed([{ type: 'message', role: 'assistant', content: 'done' }])] },
  },
  {
    bend: 'unknown fields of items that must come back',
    answer: ({ body, turn }) => {
      if (turn === 0) return { events: [completed([functionCall({ thought_signature: 's' })])] };
      return JSON.stringify(listItems(body)).includes('"thought_signature":"s"')
        ? responsesFinish()
        : refusal('a signature is missing');
    },
  },
  {
    bend: 'include refused by param (models without reasoning)',
    answer: refusing('include', refusal('Encrypted content is not supported with this model.', { param: 'include' })),
    asked: 3,
  },
  {
    bend: 'prompt_cache_key refused with 422 and a path',
    answer: refusing('prompt_cache_key', { status: 422, json: extraForbidden('prompt_cache_key') }),
    asked: 3,
  },
  {
    bend: 'parallel_tool_calls refused (o3, o4-mini on Azure)',
    answer: refusing(
      'parallel_tool_calls',
      refusal("Unsupported parameter: 'parallel_tool_calls' is not supported with this model.", {
        code: 'unsupported_parameter',
      }),
    ),
    asked: 3,
  },
  {
    bend: 'store refused in words only',
    answer: refusing('store', { status: 400, json: { error: { message: "Unknown parameter: 'store'." } } }),
    asked: 3,
  },
  {
    bend: 'one refused field after the other',
    answer: ({ body, turn }) => {
      const field = ['store', 'include', 'prompt_cache_key', 'parallel_tool_calls'].find((name) => name in body);
      if (field) return refusal(`Unknown parameter: '${field}'`, { param: field });
      return turn === 0 ? { events: [completed([functionCall()])] } : responsesFinish();
    },
    asked: 6,
  },
  {
    bend: 'a status of items refused',
    answer: ({ body, turn }) => {
      if (turn === 0) return { events: [completed([functionCall()])] };
      return listItems(body).some((item) => 'status' in item)
        ? refusal("Unknown parameter: 'input[1].status'.", { param: 'input[1].status', code: 'unknown_parameter' })
        : responsesFinish();
    },
    asked: 3,
  },
  ending(
    'an error event with a final code',
    {
      events: [{ type: 'error', code: 'insufficient_quota', message: 'You exceeded your current quota' }],
    },
    'model_quota',
    /“You exceeded your current quota”/,
  ),
  ending(
    'response.failed with a code',
    {
      events: [
        {
          type: 'response.failed',
          response: { status: 'failed', error: { code: 'invalid_prompt', message: 'Flagged' } },
        },
      ],
    },
    'model_refused',
    /“Flagged”/,
  ),
  ending('no such route', { status: 404, json: { detail: 'Not Found' } }, 'model_invalid', /“Not Found”.*OPENAI_API/),
  {
    bend: 'thoughts in the text',
    answer: ({ turn }) =>
      turn === 0 ? { events: [completed([functionCall()])] } : responsesText('<think>They want "done".</think>done'),
  },
  ending(
    'a call written as text again and again',
    responsesText('<tool_call>{"name": "echo", "arguments": {"text": "hi"}}</tool_call>'),
    'model_invalid',
    /wrote its tool calls as text/,
  ),
  {
    bend: 'a base URL with a query (Azure)',
    query: '?api-version=preview',
    answer: ({ url, turn }) => {
      if (url !== '/v1/responses?api-version=preview') return { status: 404, json: { error: { message: url } } };
      return turn === 0 ? { events: [completed([functionCall()])] } : responsesFinish();
    },
  },
];

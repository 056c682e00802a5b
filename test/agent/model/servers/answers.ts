import type { Fields, Reply } from './dialect-server.ts';

export const delta = (fields: object, finishReason: unknown = null, more: object = {}): object => ({
  id: 'c',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: fields, finish_reason: finishReason }],
  ...more,
});
export const callDelta = (...calls: object[]) => delta({ tool_calls: calls });
export const end = (reason: unknown = 'tool_calls') => delta({}, reason);

const echoText = '{"text":"hi"}';
/** The call that the tests expect, as a usual server streams it. */
export const callPieces = [
  callDelta({ index: 0, id: 'a', type: 'function', function: { name: 'echo', arguments: '' } }),
  callDelta({ index: 0, function: { arguments: '{"te' } }),
  callDelta({ index: 0, function: { arguments: 'xt":"hi"}' } }),
];
export const wholeCall = { id: 'a', type: 'function', function: { name: 'echo', arguments: echoText } };

export const chatMessage = (message: object, more: object = {}): Fields => ({
  id: 'c',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason: 'tool_calls' }],
  ...more,
});

/** The second answer of each conversation. */
export const chatFinish = (summary = 'done'): Reply => ({
  events: [
    callDelta({
      index: 0,
      id: 'f',
      type: 'function',
      function: { name: 'finish', arguments: JSON.stringify({ summary }) },
    }),
    end(),
  ],
});
export const chatText = (content: string, reason: unknown = 'stop'): Reply => ({
  events: [delta({ content }), end(reason)],
});

export const functionCall = (more: object = {}): Fields => ({
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'echo',
  arguments: echoText,
  status: 'completed',
  ...more,
});
export const outputMessage = (text: string): Fields => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
});
export const response = (output: object[], more: object = {}): Fields => ({
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  output,
  ...more,
});
export const completed = (output: object[], more: object = {}) => ({
  type: 'response.completed',
  response: response(output, more),
});
export const added = (item: object, index: number | undefined = 0) => ({
  type: 'response.output_item.added',
  output_index: index,
  item,
});
export const done = (item: object, index: number | undefined = 0) => ({
  type: 'response.output_item.done',
  output_index: index,
  item,
});
export const argumentsDelta = (piece: string, more: object = { output_index: 0, item_id: 'fc_1' }) => ({
  type: 'response.function_call_arguments.delta',
  delta: piece,
  ...more,
});

export const responsesFinish = (summary = 'done'): Reply => ({
  events: [
    completed([
      functionCall({ id: 'fc_2', call_id: 'call_2', name: 'finish', arguments: JSON.stringify({ summary }) }),
    ]),
  ],
  isOpen: true,
});
export const responsesText = (text: string): Reply => ({ events: [completed([outputMessage(text)])], isOpen: true });

export const refusal = (message: string, more: object = {}): Reply => ({
  status: 400,
  json: { error: { message, type: 'invalid_request_error', param: null, code: null, ...more } },
});
/** FastAPI's form. */
export const extraForbidden = (...loc: (string | number)[]): Fields => ({
  detail: [{ type: 'extra_forbidden', loc: ['body', ...loc], msg: 'Extra inputs are not permitted', input: true }],
});

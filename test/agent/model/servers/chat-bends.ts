import {
  callDelta,
  callPieces,
  chatFinish,
  chatMessage,
  chatText,
  delta,
  end,
  extraForbidden,
  refusal,
  wholeCall,
} from './answers.ts';
import { type Bend, ending } from './bend.ts';
import { type Answer, type Fields, listItems, type Reply } from './dialect-server.ts';

/** The first answer bends, the second finishes. */
const bent =
  (...events: object[]): Answer =>
  ({ turn }) =>
    turn === 0 ? { events } : chatFinish();
const replied =
  (reply: Reply): Answer =>
  ({ turn }) =>
    turn === 0 ? reply : chatFinish();
/** Refuses requests with this field, and works without. */
const refusing =
  (field: string, reply: Reply): Answer =>
  ({ body, turn }) =>
    field in body ? reply : turn === 0 ? { events: [...callPieces, end()] } : chatFinish();
/** Refuses a second turn whose answer lacks a field as it came. */
const requiring =
  (fields: Fields, events: object[]): Answer =>
  ({ body, turn }) => {
    if (turn === 0) return { events: [...events, end()] };
    const answer = listItems(body).find(({ role }) => role === 'assistant');
    const isSame = Object.entries(fields).every(
      ([name, value]) => JSON.stringify(answer?.[name]) === JSON.stringify(value),
    );
    return isSame ? chatFinish() : refusal('the thoughts must be passed back');
  };
const piece = (fields: object, called: object = {}) => callDelta({ index: 0, ...fields, function: called });

export const chatBends: Bend[] = [
  {
    bend: 'the name in each delta (NVIDIA NIM, MiniMax)',
    answer: bent(
      piece({ id: 'a' }, { name: 'echo', arguments: '' }),
      piece({ id: 'a' }, { name: 'echo', arguments: '{"te' }),
      piece({ id: 'a' }, { name: 'echo', arguments: 'xt":"hi"}' }),
      piece({ id: 'a' }, { name: 'echo', arguments: '' }),
      end(),
    ),
  },
  {
    bend: 'a new id in each delta (vLLM, Fireworks)',
    answer: bent(
      piece({ id: 'a' }, { name: 'echo', arguments: '' }),
      piece({ id: 'b' }, { arguments: '{"te' }),
      piece({ id: 'c' }, { arguments: 'xt":"hi"}' }),
      end(),
    ),
  },
  {
    bend: 'a new id and the name in each delta',
    answer: bent(
      piece({ id: 'a' }, { name: 'echo', arguments: '' }),
      piece({ id: 'b' }, { name: 'echo', arguments: '{"te' }),
      piece({ id: 'c' }, { name: 'echo', arguments: 'xt":"hi"}' }),
      piece({ id: 'd' }, { name: 'echo', arguments: '' }),
      end(),
    ),
  },
  {
    bend: 'the id later than the name (Qwen)',
    answer: bent(
      piece({}, { name: 'echo' }),
      piece({ id: 'a' }, { arguments: '{"text":' }),
      piece({ id: '' }, { arguments: '"hi"}' }),
      end(),
    ),
  },
  {
    bend: 'the name later than the id',
    answer: bent(
      piece({ id: 'a' }),
      piece({}, { name: 'echo', arguments: '{"text":' }),
      piece({}, { arguments: '"hi"}' }),
      end(),
    ),
  },
  {
    bend: 'no id at all',
    answer: bent(piece({}, { name: 'echo', arguments: '{"text":"hi"}' }), end()),
  },
  {
    bend: 'no index (Gemini, Ollama)',
    answer: bent(
      callDelta({ id: 'a', function: { name: 'echo', arguments: '{"te' } }),
      callDelta({ function: { arguments: 'xt":"hi"}' } }),
      end(),
    ),
  },
  {
    bend: 'a gap in the indexes, and a text as index',
    answer: bent(callDelta({ index: '3', id: 'a', function: { name: 'echo', arguments: '{"text":"hi"}' } }), end()),
  },
  {
    bend: 'arguments as an object (llama.cpp)',
    answer: bent(piece({ id: 'a' }, { name: 'echo', arguments: { text: 'hi' } }), end()),
  },
  {
    bend: 'arguments as JSON in JSON',
    answer: bent(piece({ id: 'a' }, { name: 'echo', arguments: JSON.stringify('{"text":"hi"}') }), end()),
  },
  {
    bend: 'the whole arguments once more after their pieces (vLLM)',
    answer: bent(...callPieces, piece({}, { arguments: '{"text":"hi"}' }), end()),
  },
  {
    bend: 'the whole call once more with another id',
    answer: bent(...callPieces, piece({ id: 'b' }, { name: 'echo', arguments: '{"text":"hi"}' }), end()),
  },
  {
    bend: 'pieces that each contain the earlier ones',
    answer: bent(
      piece({ id: 'a' }, { name: 'echo', arguments: '{"te' }),
      piece({}, { arguments: '{"text":"h' }),
      piece({}, { arguments: '{"text":"hi"}' }),
      end(),
    ),
  },
  {
    bend: 'a whole message at the end of the deltas',
    answer: bent(...callPieces, {
      choices: [{ index: 0, message: { content: '', tool_calls: [wholeCall] }, finish_reason: 'stop' }],
    }),
  },
  {
    bend: 'content as a list of parts (Mistral)',
    answer: ({ turn }) =>
      turn === 0
        ? {
            events: [
              delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }] }),
              ...callPieces,
              end(),
            ],
          }
        : {
            events: [
              delta({ content: [{ type: 'text', text: 'do' }] }),
              delta({ content: [{ type: 'text', text: 'ne' }] }),
              end('stop'),
            ],
          },
  },
  { bend: 'the finish reason in upper case', answer: bent(...callPieces, end('TOOL_CALLS')) },
  { bend: 'the finish reason in other words', answer: bent(...callPieces, end('completed_normally')) },
  { bend: 'no finish reason, but [DONE]', answer: bent(...callPieces) },
  {
    bend: 'neither finish reason nor [DONE] after a whole call',
    answer: replied({ events: callPieces, isOpen: true }),
  },
  { bend: 'no [DONE]', answer: replied({ events: [...callPieces, end()], isOpen: true }) },
  { bend: 'the finish reason stop after a call', answer: bent(...callPieces, end('stop')) },
  {
    bend: 'comments, CRLF, no blank after the colon and no last blank line',
    answer: replied({
      type: 'text/event-stream',
      raw: [
        ': hello',
        '',
        ...[...callPieces, end()].flatMap((event) => [`data:${JSON.stringify(event)}`, '']),
        'data: [DONE]',
      ].join('\r\n'),
    }),
  },
  {
    bend: 'empty choices and null deltas',
    answer: bent({ choices: [] }, { choices: [{ index: 0, delta: null }] }, ...callPieces, end()),
  },
  {
    bend: 'thoughts that must come back: reasoning_content (DeepSeek)',
    answer: requiring({ reasoning_content: 'Hm, so' }, [
      delta({ reasoning_content: 'Hm,' }),
      delta({ reasoning_content: ' so' }),
      ...callPieces,
    ]),
  },
  {
    bend: 'thoughts that must come back: reasoning (vLLM)',
    answer: requiring({ reasoning: 'Hm, so' }, [
      delta({ reasoning: 'Hm,' }),
      delta({ reasoning: ' so', content: null }),
      ...callPieces,
    ]),
  },
  {
    bend: 'thoughts that must come back: reasoning_details in pieces (OpenRouter)',
    answer: requiring(
      {
        reasoning_details: [
          { type: 'reasoning.text', text: 'Hm, so', format: 'f', index: 0, signature: 's' },
          { type: 'reasoning.encrypted', data: 'xyz', index: 1 },
        ],
      },
      [
        delta({ reasoning_details: [{ type: 'reasoning.text', text: 'Hm,', format: 'f', index: 0 }] }),
        delta({ reasoning_details: [{ type: 'reasoning.text', text: ' so', format: 'f', index: 0 }] }),
        delta({ reasoning_details: [{ type: 'reasoning.text', signature: 's', index: 0 }] }),
        delta({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'xyz', index: 1 }] }),
        ...callPieces,
      ],
    ),
  },
  {
    bend: 'a signature that must come back with its call (Gemini)',
    answer: ({ body, turn }) => {
      if (turn === 0)
        return {
          events: [callDelta({ ...wholeCall, index: 0, extra_content: { google: { thought_signature: 's' } } }), end()],
        };
      return JSON.stringify(listItems(body)).includes('"thought_signature":"s"')
        ? chatFinish()
        : refusal('thought_signature is missing');
    },
  },
  {
    bend: 'stream_options refused with 422 and a path (Mistral)',
    answer: refusing('stream_options', {
      status: 422,
      json: { object: 'error', message: extraForbidden('stream_options', 'include_usage') },
    }),
    asked: 3,
  },
  {
    bend: 'a field refused in a list inside a text',
    answer: refusing('stream_options', {
      status: 422,
      json: { object: 'error', message: JSON.stringify(extraForbidden('stream_options')), code: '1000' },
    }),
    asked: 3,
  },
  {
    bend: 'a field refused by param only',
    answer: refusing('stream_options', refusal('Bad request', { param: 'stream_options' })),
    asked: 3,
  },
  {
    bend: 'a field refused in words only',
    answer: refusing('stream_options', {
      status: 400,
      json: { error: "Unrecognized request argument supplied: 'stream_options'" },
    }),
    asked: 3,
  },
  {
    bend: 'a field refused inside a 200',
    answer: refusing('stream_options', { json: { error: { code: 400, message: 'stream_options is not supported' } } }),
    asked: 3,
  },
  {
    bend: 'streams refused, and a JSON answer without',
    answer: ({ body, turn }) => {
      if (body.stream) return refusal('Unsupported value', { param: 'stream' });
      return {
        json: turn === 0 ? chatMessage({ tool_calls: [wholeCall] }) : chatMessage({ content: 'done', tool_calls: [] }),
      };
    },
    asked: 3,
  },
  {
    bend: 'a field of its own answer refused (Groq)',
    answer: ({ body, turn }) => {
      if (turn === 0) return { events: [delta({ reasoning_content: 'Hm' }), ...callPieces, end()] };
      return listItems(body).some((item) => 'reasoning_content' in item)
        ? refusal("'messages.2' : property 'reasoning_content' is unsupported")
        : chatFinish();
    },
    asked: 3,
  },
  ending(
    'tools refused (Ollama)',
    refusal('gemma does not support tools', { param: 'tools' }),
    'model_invalid',
    /refuses `tools`, which Pagewright needs.*“gemma does not support tools”/,
  ),
  ending(
    'tools refused with 500 (llama.cpp without --jinja)',
    {
      status: 500,
      json: { error: { code: 500, message: 'tools param requires --jinja flag', type: 'server_error' } },
    },
    'model_invalid',
    /“tools param requires --jinja flag”/,
  ),
  ending(
    'an unknown model (Ollama)',
    { status: 404, json: { error: 'model "qwen" not found, try pulling it first' } },
    'model_invalid',
    /model "qwen" not found, try pulling it first/,
  ),
  ending(
    'an authentication error that quotes the key',
    {
      status: 401,
      json: { error: { message: 'Incorrect API key provided: sk-secret-key-1.', code: 'invalid_api_key' } },
    },
    'model_auth',
    /“Incorrect API key provided: \[secret\]”/,
  ),
  ending(
    'an error in a list (Gemini)',
    {
      status: 400,
      json: [{ error: { code: 400, message: 'API key not valid', status: 'INVALID_ARGUMENT' } }],
    },
    'model_invalid',
    /“API key not valid”/,
  ),
  ending(
    'an authentication error inside a 200',
    { json: { error: { message: 'No auth credentials found', code: 401 } } },
    'model_auth',
    /“No auth credentials found”/,
  ),
  ending(
    'an error of the quota in the stream (OpenRouter)',
    { events: [delta({}, 'error', { error: { code: 402, message: 'Insufficient credits' } })] },
    'model_quota',
    /“Insufficient credits”/,
  ),
  ending(
    'an error as a named event with a type in words',
    {
      type: 'text/event-stream',
      raw: 'event: error\ndata: {"type":"authentication_error","message":"invalid x-api-key"}\n\n',
    },
    'model_auth',
    /“invalid x-api-key”/,
  ),
  ending(
    'an error beside an empty answer (MiniMax)',
    { json: { choices: null, base_resp: { status_code: 1008, status_msg: 'insufficient balance' } } },
    'model_quota',
    /“insufficient balance”/,
  ),
  {
    bend: 'an outage inside a 200 that passes',
    answer: ({ times, turn }) =>
      times === 1
        ? { json: { error: { message: 'Provider returned error', code: 502 } } }
        : turn === 0
          ? { events: [...callPieces, end()] }
          : chatFinish(),
    asked: 3,
  },
  { bend: 'JSON although a stream was asked', answer: replied({ json: chatMessage({ tool_calls: [wholeCall] }) }) },
  {
    bend: 'JSON that calls itself a stream',
    answer: replied({
      raw: ` \n${JSON.stringify(chatMessage({ tool_calls: [wholeCall] }))}`,
      type: 'text/event-stream',
    }),
  },
  {
    bend: 'a function_call of the old protocol',
    answer: bent(
      delta({ function_call: { name: 'echo', arguments: '{"text":' } }),
      delta({ function_call: { arguments: '"hi"}' } }),
      end('function_call'),
    ),
  },
  {
    bend: 'thoughts in the text',
    answer: ({ turn }) =>
      turn === 0 ? { events: [...callPieces, end()] } : chatText('<think>They want "done".\n</think>\n\ndone'),
  },
  {
    bend: 'thoughts without the first tag (Qwen, DeepSeek)',
    answer: ({ turn }) =>
      turn === 0 ? { events: [...callPieces, end()] } : chatText('They want "done".\n</think>\n\ndone'),
  },
  {
    bend: 'thoughts in the summary',
    answer: ({ turn }) =>
      turn === 0 ? { events: [...callPieces, end()] } : chatFinish('<think>They want it.</think>done'),
  },
  ending(
    'nothing but thoughts that nothing closes',
    chatText('<think>I go on and on'),
    'model_invalid',
    /empty or cut off/,
  ),
  {
    bend: 'a call written as text that the model corrects',
    answer: ({ turn }) =>
      turn === 0
        ? chatText('<tool_call>\n{"name": "echo", "arguments": {"text": "hi"}}\n</tool_call>')
        : turn === 1
          ? { events: [...callPieces, end()] }
          : chatFinish(),
    asked: 3,
  },
  ending(
    'a call written as text again and again (Hermes)',
    chatText('<tool_call>\n{"name": "echo", "arguments": {"text": "hi"}}\n</tool_call>'),
    'model_invalid',
    /wrote its tool calls as text/,
  ),
  ending(
    'a call written as text again and again (JSON in a fence)',
    chatText('```json\n{"name": "finish", "arguments": {"summary": "done"}}\n```'),
    'model_invalid',
    /wrote its tool calls as text/,
  ),
  ending(
    'a call written as text again and again (Qwen Coder)',
    chatText('<function=echo>\n<parameter=text>\nhi\n</parameter>\n</function>'),
    'model_invalid',
    /wrote its tool calls as text/,
  ),
  ending(
    'a call written as text again and again (Mistral)',
    chatText('[TOOL_CALLS][{"name": "echo", "arguments": {"text": "hi"}}]'),
    'model_invalid',
    /wrote its tool calls as text/,
  ),
  {
    bend: 'a base URL with a query (Azure)',
    query: '?api-version=2025-04-01-preview',
    answer: ({ url, turn }) => {
      if (url !== '/v1/chat/completions?api-version=2025-04-01-preview')
        return { status: 404, json: { error: { message: url } } };
      return turn === 0 ? { events: [...callPieces, end()] } : chatFinish();
    },
  },
  {
    bend: 'usage in other words',
    answer: bent(...callPieces, end(), { choices: [], usage: { input_tokens: 7, output_tokens: 2 } }),
  },
  { bend: 'no usage', answer: bent(...callPieces, end()) },
];

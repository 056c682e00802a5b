import { describe, expect, test } from 'vitest';
import { createChatReader } from '../../../src/agent/model/chat.ts';
import { BrokenAnswer } from '../../../src/agent/model/errors.ts';

const delta = (fields: object, finishReason: string | null = null) => ({
  choices: [{ delta: fields, finish_reason: finishReason }],
});
const calls = (...fields: object[]) => delta({ tool_calls: fields });
const piece = (fields: object, name: string | null | undefined, text: string) => ({
  ...fields,
  function: { name, arguments: text },
});
const end = delta({}, 'tool_calls');
const [one, two] = [
  ['a', 'one', '{}'],
  ['b', 'two', '{}'],
];
const madeId = expect.stringMatching(/^call_.{36}$/);

function assemble(chunks: object[]) {
  const reader = createChatReader();
  for (const chunk of chunks) reader.add({ ...chunk });
  return reader.finish(false);
}

describe('chunks of OpenAI-compatible servers', () => {
  test.each<[string, object[], unknown[][]]>([
    [
      'arguments in pieces, two calls interleaved',
      [
        calls(piece({ index: 0, id: 'a' }, 'one', '')),
        calls(piece({ index: 1, id: 'b' }, 'two', '{')),
        calls(piece({ index: 0 }, undefined, '{"x"')),
        calls(piece({ index: 1 }, undefined, '}')),
        calls(piece({ index: 0 }, undefined, ':1}')),
      ],
      [['a', 'one', '{"x":1}'], two],
    ],
    [
      'no index: pieces follow the last call',
      [calls(piece({ id: 'a' }, 'one', '{')), calls(piece({}, undefined, '}')), calls(piece({ id: 'b' }, 'two', '{}'))],
      [one, two],
    ],
    [
      'every call with index 0',
      [calls(piece({ index: 0, id: 'a' }, 'one', '{}'), piece({ index: 0, id: 'b' }, 'two', '{}'))],
      [one, two],
    ],
    [
      'the id repeated in every piece',
      [calls(piece({ index: 0, id: 'a' }, 'one', '{')), calls(piece({ index: 0, id: 'a' }, null, '}'))],
      [one],
    ],
    ['no id at all', [calls(piece({ index: 0 }, 'one', '{}'))], [[madeId, 'one', '{}']]],
    [
      'an id that a database cannot hold',
      [calls(piece({ index: 0, id: 'a\0\ud800' }, 'one', '{}'))],
      [['a\ufffd\ufffd', 'one', '{}']],
    ],
    [
      'the same id twice',
      [calls(piece({ index: 0, id: 'a' }, 'one', '{}'), piece({ index: 1, id: 'a' }, 'two', '{}'))],
      [one, [madeId, 'two', '{}']],
    ],
  ])('%s', (_name, chunks, expected) => {
    const { answer } = assemble([...chunks, end]);
    expect(answer.toolCalls.map(({ callId, name, arguments: text }) => [callId, name, text])).toEqual(expected);
  });

  test('missing usage is null, and usage in a chunk without choices counts', () => {
    expect(assemble([delta({ content: 'a' }, 'stop')]).usage).toBeNull();
    const usage = { prompt_tokens: 5, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 3 } };
    expect(assemble([delta({ content: 'a' }, 'stop'), { choices: [], usage }]).usage).toEqual({
      tokensIn: 5,
      tokensOut: 2,
      tokensCached: 3,
    });
  });

  test.each([
    { prompt_tokens: 0 },
    { prompt_tokens: -5 },
    { completion_tokens: 0.5 },
    { prompt_tokens: 1e300 },
    { completion_tokens: null },
  ])('invalid usage is null: %o', (broken) => {
    const usage = { prompt_tokens: 5, completion_tokens: 2, ...broken };
    expect(assemble([delta({ content: 'a' }, 'stop'), { choices: [], usage }]).usage).toBeNull();
  });

  test('reasoning is sent back with text and calls, a signature with its call', () => {
    const signature = { extra_content: { google: { thought_signature: 's' } } };
    const withCall = assemble([
      delta({ reasoning_content: 'hm' }),
      calls({ index: 0, id: 'a', ...signature, function: { name: 'one', arguments: '{"x": ' } }),
      delta({}, 'length'),
    ]).answer;
    expect(withCall.stop).toBe('length');
    expect(JSON.parse(String(withCall.items[0]))).toEqual({
      role: 'assistant',
      content: null,
      reasoning_content: 'hm',
      tool_calls: [
        {
          ...signature,
          id: 'a',
          type: 'function',
          function: { name: 'one', arguments: '{"not_an_object":"{\\"x\\": "}' },
        },
      ],
    });
    const without = assemble([delta({ reasoning_content: 'hm' }), delta({ content: 'a' }, 'stop')]).answer;
    expect(JSON.parse(String(without.items[0]))).toEqual({ role: 'assistant', content: 'a', reasoning_content: 'hm' });
  });

  test.each([
    ['stop', 'end'],
    ['eos_token', 'end'],
    ['end_turn', 'end'],
    ['function_call', 'end'],
    ['length', 'length'],
    ['max_tokens', 'length'],
  ])('an answer with the finish reason %s is whole', (reason, stop) => {
    const { answer, isRefused } = assemble([delta({ content: 'a' }, reason), delta({ content: 'b' }, '')]);
    expect([answer.text, answer.stop, isRefused]).toEqual(['ab', stop, false]);
  });

  test.each(['abort', 'error', 'insufficient_system_resource'])(
    'an answer with the finish reason %s is broken, and says so',
    (reason) => {
      expect(() => assemble([delta({ content: 'a' }, reason)])).toThrow(
        expect.objectContaining({ name: 'BrokenAnswer', code: reason, message: `the answer ended with ${reason}` }),
      );
    },
  );

  test('an answer without a finish reason and an invalid chunk are broken', () => {
    expect(() => assemble([delta({ content: 'a' }, '')])).toThrow(BrokenAnswer);
    expect(() => assemble([delta({ content: 'a' })])).toThrow(BrokenAnswer);
    expect(() => assemble([{ choices: 'no' }])).toThrow(BrokenAnswer);
  });
});

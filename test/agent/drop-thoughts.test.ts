import { expect, test } from 'vitest';
import { dropThoughts, withoutThoughts } from '../../src/agent/run-agent.ts';
import { createAnswer } from './memory-journal.ts';

test.each([
  { name: 'a block at the beginning', text: '<think>\nHm.\n</think>\n\nDone.', left: 'Done.' },
  { name: 'a block in the middle', text: 'Done. <think>Hm.</think> Really.', left: 'Done.  Really.' },
  { name: 'several blocks', text: '<think>a</think>One.<think>b</think> Two.', left: 'One. Two.' },
  { name: 'a block in a block', text: '<think>a<think>b</think>c</think>Done.', left: 'Done.' },
  { name: 'a block that nothing closes', text: 'Done.\n<think>Hm', left: 'Done.' },
  { name: 'nothing but a block that nothing closes', text: '<think>Hm', left: '' },
  { name: 'a block that nothing opens', text: 'Hm.\n</think>\n\nDone.', left: 'Done.' },
  { name: 'the tags of Kimi', text: '◁think▷Hm.◁/think▷Done.', left: 'Done.' },
  { name: 'the tags of Mistral', text: '[THINK]Hm.[/THINK]Done.', left: 'Done.' },
  { name: 'a tag in code', text: 'Documented `<think>` and `</think>`.', left: 'Documented `<think>` and `</think>`.' },
  { name: 'a tag in a sentence', text: 'The <think> tag.', left: 'The <think> tag.' },
  { name: 'no tag', text: '  Done. ', left: '  Done. ' },
])('thoughts go: $name', ({ text, left }) => {
  expect(withoutThoughts(text)).toBe(left);
});

test('thoughts go from the text and from finish, and stay in files and in what the server gets back', () => {
  const thought = '<think>Hm.</think>Done.';
  const answer = {
    ...createAnswer({
      text: thought,
      calls: [
        ['write_file', { content: thought }],
        ['finish', { summary: thought }],
      ],
    }),
    items: [JSON.stringify({ role: 'assistant', content: thought })],
  };
  const { text, toolCalls, items } = dropThoughts(answer);
  expect(text).toBe('Done.');
  expect(toolCalls.map((call) => JSON.parse(call.arguments))).toEqual([{ content: thought }, { summary: 'Done.' }]);
  expect(items).toEqual(answer.items);
});

test('arguments that nest too deeply to be written stay the same', () => {
  const deep = `{"summary":"<think>Hm.</think>Done.","deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  const answer = createAnswer({ calls: [['finish', {}]] });
  const toolCalls = answer.toolCalls.map((call) => ({ ...call, arguments: deep }));
  expect(dropThoughts({ ...answer, toolCalls }).toolCalls.map((call) => call.arguments)).toEqual([deep]);
});

test('a text full of tags takes linear time', () => {
  for (const tag of ['<think>', '</think>', ' <think>', '`<think>', '\n<think> </think>']) {
    expect(withoutThoughts(tag.repeat(200_000)).length).toBeLessThanOrEqual(tag.length * 200_000);
  }
});

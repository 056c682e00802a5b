import { expect, test } from 'vitest';
import { isWrittenCall } from '../../src/agent/progress.ts';
import { createAnswer } from './memory-journal.ts';

const toolNames = ['read_file', 'finish'];
const isWritten = (text: string) =>
  isWrittenCall({ inputs: [], answer: createAnswer({ text }), results: [] }, toolNames);
const json = '{"name": "read_file", "arguments": {"path": "a.md"}}';

test.each([
  ['Hermes, Qwen', `Let me see.\n<tool_call>\n${json}\n</tool_call>`],
  ['Hermes, cut off', `<tool_call>\n{"name": "read_file", "argu`],
  ['Qwen Coder', '<function=read_file>\n<parameter=path>\na.md\n</parameter>\n</function>'],
  ['Llama', '<|python_tag|>read_file.call(path="a.md")'],
  ['Mistral', '[TOOL_CALLS][{"name": "read_file", "arguments": {"path": "a.md"}}]'],
  ['Mistral, without JSON', '[TOOL_CALLS]read_file[ARGS]{"path": "a.md"}'],
  ['DeepSeek', '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file'],
  ['Kimi', '<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0'],
  ['Anthropic', '<invoke name="read_file"><parameter name="path">a.md</parameter></invoke>'],
  ['gpt-oss', '<|channel|>commentary to=functions.read_file <|message|>{"path": "a.md"}'],
  ['JSON', json],
  ['JSON with parameters', '{"name": "finish", "parameters": {"summary": "done"}}'],
  ['a list of JSON', `[${json}]`],
  ['JSON in a fence', `I read the file:\n\n\`\`\`json\n${json}\n\`\`\``],
  ['the form of the API', `{"tool_calls": [{"function": {"name": "read_file", "arguments": "{}"}}]}`],
])('a tool call in the text is seen: %s', (_, text) => {
  expect(isWritten(text)).toBe(true);
});

test.each([
  ['plain text', 'Nothing to do: read_file shows that the page is right.'],
  ['a tool that nobody offered', '<tool_call>{"name": "get_weather", "arguments": {}}</tool_call>'],
  ['a mark in code', 'The page explains `<tool_call>` now, as read_file shows.'],
  ['other JSON', '```json\n{"name": "read_file"}\n```'],
  ['broken JSON', '```json\n{"name": "read_file", \n```'],
])('other text is no tool call: %s', (_, text) => {
  expect(isWritten(text)).toBe(false);
});

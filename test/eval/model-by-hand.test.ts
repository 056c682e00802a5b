import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startModelByHand } from '../../eval/by-hand/start-model-by-hand.ts';
import { createModel } from '../../src/agent/model/create-model.ts';
import type { ModelRequest } from '../../src/agent/model/model.ts';

test.each(['responses', 'chat'] as const)('a file is the answer of a model over %s', async (api) => {
  const directory = await mkdtemp(join(tmpdir(), 'pagewright-by-hand-'));
  const ended = new AbortController();
  const problems: string[] = [];
  const answer = async (folder: string, text: string) => writeFile(join(folder, 'answer.json'), text);
  const folders: string[] = [];
  const readings: string[] = [];
  await using server = await startModelByHand({
    directory,
    onRequest: async (folder) => {
      folders.push(folder);
      readings.push(await readFile(join(folder, 'request.md'), 'utf8'));
      const call = { name: 'read_file', arguments: { path: 'index.md' } };
      await answer(folder, folders.length === 1 ? '{"calls": [{}]}' : '{"text": "It is done."}');
      if (folders.length === 1) setTimeout(() => answer(folder, JSON.stringify({ calls: [call] })), 500);
    },
    onProblem: (text) => problems.push(text),
    signal: ended.signal,
  });
  const model = createModel({ api, apiKey: '', baseUrl: server.url, model: 'by-hand' });
  const request: ModelRequest = {
    instructions: 'You edit pages.',
    turns: [{ inputs: ['Read the index.'], answer: null, results: null }],
    tools: [{ name: 'read_file', description: 'Reads.', parameters: { type: 'object', properties: {} } }],
    cacheKey: 'job_1',
  };
  const first = await model.respond(request, ended.signal);
  expect(first.toolCalls).toMatchObject([{ name: 'read_file', arguments: '{"path":"index.md"}' }]);
  expect(problems.join()).toMatch(/0001-conversation-1\/answer\.json: .*name/s);
  expect(readings[0]).toMatch(/^Turn 1\..*You edit pages\..*"Reads\.".*Read the index\.\n$/s);

  const [callId = ''] = first.toolCalls.map((call) => call.callId);
  const results = [{ callId, output: '# Index', isError: false }];
  const answered = { inputs: ['Read the index.'], answer: first, results };
  const next = { inputs: ['Hurry.'], answer: null, results: null };
  const second = await model.respond({ ...request, turns: [answered, next] }, ended.signal);
  expect(second.text).toBe('It is done.');
  expect(readings[1]).toMatch(/^Turn 2\. .*bytes\.\n\n## Result\n\n# Index\n\n## Input\n\nHurry\.\n$/);
  await rm(directory, { recursive: true });
});

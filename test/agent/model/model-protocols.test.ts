import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { steps } from '../../../local/model/script.ts';
import { type ModelServer, startModelServer } from '../../../local/model/start-model-server.ts';
import { createModel } from '../../../src/agent/model/create-model.ts';
import type { Model } from '../../../src/agent/model/model.ts';
import { createTool, toolOk } from '../../../src/agent/tool.ts';
import { createMemoryJournal, type MemoryJournal } from '../memory-journal.ts';
import { runTestAgent } from '../run-test-agent.ts';

const echo = createTool({
  name: 'echo',
  description: 'Says it again.',
  arguments: z.object({ text: z.string() }),
  execute: ({ text }) => toolOk(`you said ${text}`),
});
const call = (text: string) => ({ name: 'echo', arguments: { text } });
const finish = { calls: [{ name: 'finish', arguments: { summary: 'done' } }] };

const run = (model: Model, journal: MemoryJournal, more: { opening?: string[] } = {}) =>
  runTestAgent({ model, tools: [echo], journal, ...more });

describe.each(['responses', 'chat'] as const)('a model by the %s protocol', (api) => {
  let server: ModelServer;
  let model: Model;
  beforeEach(async () => {
    server = await startModelServer({ script: steps([]), apiKey: 'key-1' });
    model = createModel({ api, apiKey: 'key-1', baseUrl: server.url, model: 'gpt-test', backoffMs: 1 });
  });
  afterEach(() => server.stop());

  test('works with tools until it finishes', async () => {
    server.setScript(
      steps([
        { text: 'let me see', calls: [call('one'), call('two "quoted" \u{1F600}')] },
        ({ lastResults }) => ({ calls: [call(lastResults.map(({ output }) => output).join(' / '))] }),
        { calls: [{ name: 'echo', arguments: '{"text": ' }] },
        finish,
      ]),
    );
    const journal = createMemoryJournal();
    expect(await run(model, journal)).toEqual({ kind: 'finished', summary: 'done', replies: [] });
    expect(journal.turns.map(({ answer }) => answer?.text)).toEqual(['let me see', '', '', '']);
    expect(journal.turns.map(({ results }) => results?.map(({ output }) => output))).toEqual([
      ['you said one', 'you said two "quoted" \u{1F600}'],
      ['you said you said one / you said two "quoted" \u{1F600}'],
      [expect.stringContaining('not valid JSON')],
      ['finished'],
    ]);
  });

  test('each request starts with the previous one, so that the prompt cache matches', async () => {
    server.setScript(steps([{ calls: [call('one')] }, { text: ' ' }, { text: 'so', calls: [call('two')] }, finish]));
    const journal = createMemoryJournal();
    await run(model, journal);
    const usages = journal.turns.map(({ answer }) => answer?.usage);
    expect(usages[0]?.tokensCached).toBe(0);
    for (const [index, usage] of usages.entries()) {
      expect(usage?.tokensCached).toBe(index === 0 ? 0 : usages[index - 1]?.tokensIn);
    }
  });

  test('a takeover sends exactly what the first worker would have sent', async () => {
    const script = steps([
      { text: 'a', calls: [call('one'), call('two')] },
      { text: '' },
      { calls: [call('three')] },
      finish,
    ]);
    server.setScript(script);
    const whole = createMemoryJournal();
    await run(model, whole);
    const bodies = server.requests.map(({ body }) => JSON.stringify(body));
    expect(bodies).toHaveLength(4);
    for (const index of [1, 2, 3]) {
      const unanswered = { inputs: whole.turns[index]?.inputs ?? [], answer: null, results: null };
      const journal = createMemoryJournal(structuredClone([...whole.turns.slice(0, index), unanswered]));
      server.requests.length = 0;
      await run(model, journal);
      expect(JSON.stringify(server.requests[0]?.body)).toBe(bodies[index]);
    }
  });

  test('turns stored by the other protocol are converted', async () => {
    server.setScript(steps([{ text: 'a', calls: [call('one')] }, finish]));
    const other = createModel({
      api: api === 'chat' ? 'responses' : 'chat',
      apiKey: 'key-1',
      baseUrl: server.url,
      model: 'gpt-test',
    });
    const journal = createMemoryJournal();
    await run(other, journal);
    const taken = createMemoryJournal([...journal.turns.slice(0, 1)]);
    expect(await run(model, taken)).toMatchObject({ kind: 'finished' });
  });

  test('a long answer arrives whole', async () => {
    const text = 'Zeilen \u{1F600}\n'.repeat(20_000);
    server.setScript(steps([{ calls: [call(text)] }, finish]));
    const journal = createMemoryJournal();
    await run(model, journal);
    expect(journal.turns[0]?.results?.[0]?.output).toBe(`you said ${text}`);
  });

  test('arguments cut by the output limit become an error result, and the run continues', async () => {
    server.setScript(
      steps([{ calls: [call('one'), call('a rather long text')], fault: { kind: 'cut_arguments' } }, finish]),
    );
    const journal = createMemoryJournal();
    expect(await run(model, journal)).toMatchObject({ kind: 'finished' });
    expect(journal.turns[0]?.results?.map(({ isError }) => isError)).toEqual([false, true]);
    expect(journal.turns[0]?.answer?.stop).toBe('length');
  });

  test('a reasoning effort is passed on where it is set, and only there', async () => {
    server.setScript(steps([finish]));
    await run(model, createMemoryJournal());
    expect(JSON.stringify(server.requests[0]?.body)).not.toContain('effort');
    const options = { api, apiKey: 'key-1', baseUrl: server.url, model: 'gpt-test' };
    await run(createModel({ ...options, reasoningEffort: 'low' }), createMemoryJournal());
    expect(server.requests[1]?.body).toMatchObject(
      api === 'chat' ? { reasoning_effort: 'low' } : { reasoning: { effort: 'low' } },
    );
  });

  test('the API key is only in the header', async () => {
    server.setScript(steps([finish]));
    await run(model, createMemoryJournal());
    expect(server.requests[0]?.headers.authorization).toBe('Bearer key-1');
    expect(JSON.stringify(server.requests[0]?.body)).not.toContain('key-1');
  });
});

test('the responses protocol stores nothing at the provider and sends encrypted reasoning back', async () => {
  await using server = await startModelServer({ script: steps([{ calls: [call('one')] }, finish]) });
  const model = createModel({ api: 'responses', apiKey: '', baseUrl: server.url, model: 'gpt-test' });
  await run(model, createMemoryJournal());
  const [first, second] = server.requests.map(({ body }) => z.looseObject({ input: z.array(z.unknown()) }).parse(body));
  expect(first).toMatchObject({
    store: false,
    include: ['reasoning.encrypted_content'],
    prompt_cache_key: 'job_1',
    instructions: 'Be brief.',
  });
  expect(second?.input).toMatchObject([
    { role: 'user', content: 'go' },
    { type: 'reasoning', encrypted_content: expect.stringMatching(/^sealed:/) },
    { type: 'function_call', name: 'echo' },
    { type: 'function_call_output', output: 'you said one' },
  ]);
});

test('a model that cannot encrypt its reasoning gets a request without that option', async () => {
  const play = steps([{ calls: [call('one')] }, finish]);
  await using server = await startModelServer({
    script: (request) =>
      server.requests.length === 1 ? { fault: { kind: 'status', status: 400, param: 'include' } } : play(request),
  });
  const model = createModel({ api: 'responses', apiKey: '', baseUrl: server.url, model: 'gpt-test' });
  expect(await run(model, createMemoryJournal())).toMatchObject({ kind: 'finished' });
  const includes = server.requests.map(
    ({ body }) => z.looseObject({ include: z.array(z.string()).optional() }).parse(body).include,
  );
  expect(includes).toEqual([['reasoning.encrypted_content'], undefined, undefined]);
});

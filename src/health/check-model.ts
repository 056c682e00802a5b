import { z } from 'zod';
import type { AnswerManner } from '../agent/model/create-ask.ts';
import { addressOf, createModel, openaiUrl, writeAuthorization } from '../agent/model/create-model.ts';
import { ModelRefusal, ModelUnavailable } from '../agent/model/errors.ts';
import type { ModelAnswer } from '../agent/model/model.ts';
import { createDialects } from '../agent/model/server-dialects.ts';
import { isWrittenCall } from '../agent/progress.ts';
import type { Config } from '../config/config.ts';
import { Parked } from '../errors.ts';
import { broken, describeCause, type Finding, findRemedy, type HealthCheck, ok, warning } from './finding.ts';

const listSchema = z.object({ data: z.array(z.object({ id: z.string() })) });

/**
 * https://developers.openai.com/api/reference/resources/models/methods/list. `isOperatorAsking`: the model is also asked one short question
 * with a tool, because a list says little, and a server that does not answer is broken.
 */
export const createModelCheck = (
  openai: Config['openai'],
  { isOperatorAsking }: { isOperatorAsking: boolean },
): HealthCheck<'model'> => ({
  part: 'model',
  async find(signal) {
    const { baseUrl, apiKey, models } = openai;
    const url = (baseUrl ?? openaiUrl).replace(/\/$/, '');
    const headers = writeAuthorization(baseUrl, apiKey);
    const response = await fetch(addressOf(baseUrl, '/models'), { headers, redirect: 'manual', signal }).catch(
      (error: unknown) => error,
    );
    if (!(response instanceof Response)) {
      if (!isOperatorAsking) throw response;
      return broken(
        `the model server at ${url} does not answer (${describeCause(response)})`,
        findRemedy(response) ?? unreachable,
      );
    }
    if (response.status === 401 || response.status === 403) {
      await response.body?.cancel();
      return broken(
        `The model server refuses OPENAI_API_KEY with status ${response.status}`,
        'Check OPENAI_API_KEY and OPENAI_BASE_URL.',
      );
    }
    const listed = response.ok ? await readList(response) : await response.body?.cancel();
    const unknown = models.filter((model) => listed && listed.length > 0 && !listed.includes(model));
    const asked = isOperatorAsking ? await askModel(openai, { url, signal }) : undefined;
    if (asked && asked.state !== 'ok') return asked;
    if (listed && unknown.length > 0)
      return warning(
        `the model server does not list ${unknown.join(', ')}${asked ? `; ${asked.detail}` : ''}`,
        `Check OPENAI_MODEL and OPENAI_MODELS. It lists ${listed.slice(0, 5).join(', ')}${listed.length > 5 ? ', …' : ''}.`,
      );
    if (asked) return asked;
    return ok(
      listed ? `the model server at ${url} answers, with ${models.join(', ')}` : 'the model server lists no models',
    );
  },
});

const readList = async (response: Response): Promise<string[] | undefined> =>
  listSchema.safeParse(await response.json().catch(() => undefined)).data?.data.map(({ id }) => id);

const unreachable =
  'Check OPENAI_BASE_URL, whether the server runs, and the network to it: DNS, firewall, HTTPS_PROXY and NO_PROXY.';

const tool = {
  name: 'confirm',
  description: 'Confirms that tools work.',
  parameters: { type: 'object', properties: { ready: { type: 'boolean' } }, required: ['ready'] },
};
const turn = {
  inputs: ['Call the tool confirm with {"ready": true}. Write nothing else.'],
  answer: null,
  results: null,
};

/** A PNG of 32 × 32: some models refuse smaller ones. */
const whiteSquare = {
  mediaType: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgAQAAAABbAUdZAAAAD0lEQVR42mP4DwQMg5cAANrpf4Em8vpjAAAAAElFTkSuQmCC',
};

/** Asks one short question with a tool, as runs do, and says what the server supports. */
async function askModel(
  { models: [model], contextTokens: _, ...openai }: Config['openai'],
  { url, signal }: { url: string; signal: AbortSignal },
): Promise<Finding> {
  const refused: string[] = [];
  let manner: AnswerManner | undefined;
  const asked = createModel({
    ...openai,
    model,
    attempts: 1,
    findDialect: createDialects((learned) => void refused.push(...learned.refused)),
    onManner: (found) => {
      manner = found;
    },
  });
  const request = {
    instructions: 'This is a test of the connection.',
    turns: [openai.images ? { ...turn, images: [whiteSquare] } : turn],
    tools: [tool],
    cacheKey: 'doctor',
  };
  try {
    const answer = await asked.respond(request, signal);
    return describeAnswer({ answer, model, url, supports: describeManner(manner, refused) });
  } catch (error) {
    const finding = describeFailure({ error, model, api: openai.api, isLate: signal.aborted });
    if (finding === undefined) throw error;
    return finding;
  }
}

const recognize =
  'Let the server recognize tool calls (vLLM: --enable-auto-tool-choice and --tool-call-parser; llama.cpp: --jinja), or choose another model.';

function describeAnswer(options: { answer: ModelAnswer; model: string; url: string; supports: string }): Finding {
  const { answer, model, url, supports } = options;
  if (answer.toolCalls.some(({ name }) => name === tool.name)) return ok(`${model} calls tools at ${url}; ${supports}`);
  if (isWrittenCall({ ...turn, answer }, [tool.name]))
    return broken(`${model} writes its tool calls as text at ${url}, so nothing would run`, recognize);
  return warning(`${model} answers at ${url}, but did not call the tool that it was asked to; ${supports}`, recognize);
}

/** An answer that took this long in one piece was held back: a model writes for all of that time. */
const heldBackMs = 3_000;

/** Whether an answer streams is judged by comparing its first event with its last. A short answer may come at once. */
export function describeManner(manner: AnswerManner | undefined, refused: readonly string[]): string {
  const { isStream = false, firstMs = 0, wholeMs = 0, isCounted = false } = manner ?? {};
  const isHeldBack = isStream && wholeMs > heldBackMs && wholeMs - firstMs < 0.05 * wholeMs;
  return [
    isHeldBack
      ? 'its answer arrived in one piece, so the server or a proxy before it may hold streams back'
      : isStream
        ? 'it streams'
        : 'it does not stream, so a long answer may take until the time-out',
    isCounted ? 'it counts tokens' : 'it does not count tokens, so Pagewright estimates them',
    ...(refused.length > 0 ? [`it refuses ${refused.join(', ')}, which Pagewright leaves out`] : []),
  ].join('; ');
}

function describeFailure(options: {
  error: unknown;
  model: string;
  api: Config['openai']['api'];
  isLate: boolean;
}): Finding | undefined {
  const { error, model, api, isLate } = options;
  if (isLate)
    return warning(
      `${model} did not answer a short question in time`,
      'Ask again. A server that loads its model first is slow once.',
    );
  if (error instanceof Parked)
    return warning(`the model server asks to wait before ${model} answers`, 'Ask again later.');
  if (error instanceof ModelUnavailable)
    return broken(
      `${model} gave no usable answer: ${error.detail}`,
      'Check the log of the model server, and OPENAI_API.',
    );
  if (!(error instanceof ModelRefusal)) return undefined;
  const { words, needed, reason } = error.facts;
  const said = words === undefined ? '' : `: “${words}”`;
  if (reason === 'model_auth')
    return broken(`The model server refuses OPENAI_API_KEY${said}`, 'Check OPENAI_API_KEY and OPENAI_BASE_URL.');
  if (reason === 'model_quota')
    return broken(`the account at the model server has no credit left${said}`, 'Add credit, or raise the limit.');
  if (needed !== undefined) return broken(`the model server refuses ${needed} for ${model}${said}`, recognize);
  return broken(
    `the model server refuses requests to ${model} by ${api === 'chat' ? 'chat/completions' : 'responses'}${said}`,
    'Check OPENAI_BASE_URL (it usually ends in /v1), OPENAI_MODEL and OPENAI_API.',
  );
}

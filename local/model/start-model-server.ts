import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { chatProtocol } from './chat-protocol.ts';
import { countTokens, planAnswer } from './plan-answer.ts';
import { ProtocolError } from './protocol.ts';
import { responsesProtocol } from './responses-protocol.ts';
import type { Script, ScriptStep } from './script.ts';
import { sendAnswer, sendError } from './send-answer.ts';

/** `turn` and `tokensCached` are null for a request that was refused before the script. */
export interface RecordedRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: unknown;
  turn: number | null;
  tokensCached: number | null;
}

export interface ModelServer extends AsyncDisposable {
  /** The base URL for a client, ending in `/v1`. */
  url: string;
  /** Every request so far, in order of arrival. */
  requests: RecordedRequest[];
  setScript(script: Script): void;
  stop(): Promise<void>;
}

/**
 * A model server on the loopback that plays a script: streamed Responses API and Chat Completions, as strict as the real one (400, 401
 * with `apiKey`, 404 with `models`, 400 for more input than `contextTokens`). A script that throws answers 400, so that nobody retries. `stop` ends connections that a fault hangs.
 */
export async function startModelServer({
  script,
  port = 0,
  apiKey,
  models,
  contextTokens = Number.POSITIVE_INFINITY,
}: {
  script: Script;
  port?: number;
  apiKey?: string;
  models?: readonly string[];
  contextTokens?: number;
}): Promise<ModelServer> {
  const requests: RecordedRequest[] = [];
  const attempts = new Map<string, number>();
  const cache = createPromptCache();
  let current = script;

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const text = await readText(request);
    const path = request.url ?? '';
    // Not recorded: no conversation asks for it.
    if (path.endsWith('/models') && request.method === 'GET') return sendModels(request, response);
    const recorded: RecordedRequest = {
      path,
      headers: request.headers,
      body: parseJson(text),
      turn: null,
      tokensCached: null,
    };
    // Like the list of models, the doctor's question is no conversation.
    const isByDoctor = text.includes(`"name":"${doctorTool}"`);
    if (!isByDoctor) requests.push(recorded);
    const protocol = [responsesProtocol, chatProtocol].find((candidate) => candidate.path === path);
    if (protocol === undefined || request.method !== 'POST') {
      return sendError({ response, status: 404, code: 'unknown_url' });
    }
    if (apiKey !== undefined && request.headers.authorization !== `Bearer ${apiKey}`) {
      return sendError({ response, status: 401, code: 'invalid_api_key' });
    }
    const conversation = protocol.read(recorded.body);
    if (models !== undefined && !models.includes(conversation.model)) {
      return sendError({ response, status: 404, code: 'model_not_found' });
    }
    if (countTokens(conversation.prompt.join('\n')) > contextTokens) {
      return sendError({ response, status: 400, code: 'context_length_exceeded', param: 'input' });
    }
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
    const attempt = (attempts.get(digest) ?? 0) + 1;
    attempts.set(digest, attempt);
    recorded.turn = conversation.turn;
    recorded.tokensCached = cache.look(conversation);
    const step = isByDoctor ? doctorStep : await current({ ...conversation, attempt });
    const { tokensCached } = recorded;
    const planned = planAnswer({ step, conversation, answerId: `${digest}_${attempt}`, tokensCached });
    await sendAnswer({ response, protocol, answer: planned, fault: step.fault });
  };

  function sendModels({ headers }: IncomingMessage, response: ServerResponse): void {
    if (apiKey !== undefined && headers.authorization !== `Bearer ${apiKey}`) {
      sendError({ response, status: 401, code: 'invalid_api_key' });
      return;
    }
    const data = (models ?? []).map((id) => ({ id, object: 'model' }));
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ object: 'list', data }));
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : 'unknown';
      const code = error instanceof ProtocolError ? 'invalid_value' : 'script_failed';
      if (!response.headersSent && !response.destroyed) {
        sendError({ response, status: 400, code, message });
      }
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const stop = async () => {
    if (!server.listening) {
      return;
    }
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : port}/v1`,
    requests,
    setScript: (next) => {
      current = next;
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `pagewright doctor` asks for this call. */
const doctorTool = 'confirm';
const doctorStep: ScriptStep = { calls: [{ name: doctorTool, arguments: { ready: true } }] };

const rememberedPrompts = 50;

/**
 * Counts the cached tokens of a prompt: those of the longest prefix, part by part, that an earlier prompt of the same key has. Unlike
 * OpenAI's cache it also counts short prompts and does not round, so that tests can be exact.
 */
function createPromptCache() {
  const earlier = new Map<string, string[][]>();
  return {
    /** `prompt` is the conversation's parts in order. Remembers it and returns the cached tokens. */
    look({ cacheKey, prompt }: { cacheKey: string; prompt: string[] }): number {
      const others = earlier.get(cacheKey) ?? [];
      const shared = Math.max(0, ...others.map((other) => countShared(prompt, other)));
      earlier.set(cacheKey, [...others.slice(1 - rememberedPrompts), prompt]);
      return shared === 0 ? 0 : countTokens(prompt.slice(0, shared).join('\n'));
    },
  };
}

function countShared(prompt: string[], other: string[]): number {
  const differs = prompt.findIndex((part, index) => part !== other[index]);
  return differs === -1 ? prompt.length : differs;
}

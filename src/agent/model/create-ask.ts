import type { OpenAI } from 'openai';
import type { ReasoningEffort } from 'openai/resources/shared';
import { BrokenAnswer, ModelRefusal } from './errors.ts';
import { type RequestTimeouts, readEvents, withWatchdog } from './event-stream.ts';
import type { ModelAnswer, ModelRequest } from './model.ts';
import type { Protocol, ReadAnswer } from './protocol.ts';
import { type Dialect, findRefused, listItemNames, without, withoutItemFields } from './refused-fields.ts';
import { createBodyWriter } from './request-body.ts';
import type { AskModel } from './retrying-model.ts';
import { estimateUsage } from './usage.ts';

/** How an answer arrived. `isCounted`: the server reported its usage. */
export interface AnswerManner {
  isStream: boolean;
  firstMs: number;
  wholeMs: number;
  isCounted: boolean;
}

/** Asks by either protocol. A field that the server refuses is left out, and the request is sent again at once. */
export function createAsk({
  client,
  url,
  protocol,
  model,
  reasoningEffort,
  dialect,
  timeouts,
  onManner,
}: {
  client: OpenAI;
  /** The protocol's route. */
  url: string;
  protocol: Protocol;
  model: string;
  reasoningEffort: ReasoningEffort;
  dialect: Dialect;
  timeouts: RequestTimeouts;
  onManner?: ((manner: AnswerManner) => void) | undefined;
}): AskModel {
  let writer = createWriter(protocol, dialect.refused);

  return async (request, signal) => {
    for (let refused = dialect.refused; ; ) {
      try {
        const answer = await askOnce(request, refused, signal);
        dialect.learn(refused);
        return answer;
      } catch (error) {
        const more = findRefused({ error, ...listNames(request, refused) });
        if (more.length === 0) throw error;
        refused = refused.union(new Set(more));
      }
    }
  };

  async function askOnce(
    request: ModelRequest,
    refused: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<ModelAnswer> {
    if (refused.symmetricDifference(writer.refused).size > 0) writer = createWriter(protocol, refused);
    const fields = without(protocol.writeFields(request, { model, reasoningEffort }), refused);
    const body = writer.write({ fields, lead: protocol.writeLead(request), turns: request.turns });
    const { idleTimeoutMs, requestTimeoutMs } = timeouts;
    const { answer, usage, isRefused } = await withWatchdog({
      // An answer that is no stream is silent until it is complete.
      timeouts: { requestTimeoutMs, idleTimeoutMs: fields.stream ? idleTimeoutMs : requestTimeoutMs },
      signal,
      request: (watched, touch) => readAnswer(body, watched, touch),
    });
    if (isRefused) throw new ModelRefusal({ reason: 'model_refused', model });
    return { ...answer, usage: usage ?? estimateUsage({ sentBytes: body.size, received: answer.items }) };
  }

  async function readAnswer(body: Blob, signal: AbortSignal, touch: () => void): Promise<ReadAnswer> {
    const startedAt = performance.now();
    // The SDK's own method for the route would keep the body in memory twice, as object and as text.
    const response = await client.post(url, { body, signal }).asResponse();
    if (response.body === null) throw new BrokenAnswer('the answer is empty');
    const reader = protocol.createReader();
    let isStream = false;
    let firstMs: number | undefined;
    let isDone = false;
    for await (const event of readEvents(response.body, touch)) {
      firstMs ??= performance.now() - startedAt;
      isDone = event.isDone;
      if (event.isDone) break;
      isStream = event.isStream;
      if (reader.add(event.event)) break;
    }
    const answer = reader.finish(isDone);
    const wholeMs = performance.now() - startedAt;
    onManner?.({ isStream, firstMs: firstMs ?? wholeMs, wholeMs, isCounted: answer.usage !== null });
    return answer;
  }

  function listNames(request: ModelRequest, refused: ReadonlySet<string>) {
    const isLeft = (name: string) => !refused.has(name);
    return {
      names: Object.keys(protocol.writeFields(request, { model, reasoningEffort })).filter(isLeft),
      itemNames: listItemNames(request.turns.flatMap((turn) => [...protocol.toItems(turn)])).filter(isLeft),
    };
  }
}

function createWriter({ list, toItems }: Protocol, refused: ReadonlySet<string>) {
  const write = createBodyWriter<object>({
    list,
    toItems: (turn) =>
      refused.size === 0 ? toItems(turn) : toItems(turn).map((item) => withoutItemFields(item, refused)),
  });
  return { refused, write };
}

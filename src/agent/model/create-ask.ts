import type { OpenAI } from 'openai';
import type { ReasoningEffort } from 'openai/resources/shared';
import { BrokenAnswer, ModelRefusal } from './errors.ts';
import { type RequestTimeouts, readEvents, withWatchdog } from './event-stream.ts';
import {
  countImageBytes,
  hasImages,
  imagesField,
  mayRefuseImages,
  refusesEveryImage,
  withoutImages,
} from './images.ts';
import type { ModelAnswer, ModelRequest, Protocol, ReadAnswer, Turn } from './model.ts';
import { createBodyWriter } from './request-body.ts';
import type { AskModel } from './retrying-model.ts';
import { findRefused, listItemNames, type ServerDialect, without, withoutItemFields } from './server-dialects.ts';
import { quoteServer } from './server-error.ts';
import { estimateUsage } from './usage.ts';

/** How an answer arrived. `isCounted`: the server reported its usage. */
export interface AnswerManner {
  isStream: boolean;
  firstMs: number;
  wholeMs: number;
  isCounted: boolean;
}

/** Asks by either protocol. A field that the server refuses is left out, and the request is sent again at once. */
export function createAsk(options: {
  client: OpenAI;
  /** The protocol's route. */
  url: string;
  protocol: Protocol;
  model: string;
  reasoningEffort: ReasoningEffort;
  dialect: ServerDialect;
  timeouts: RequestTimeouts;
  /** For the server's words, which may quote the key. */
  redact: (text: string) => string;
  onManner?: ((manner: AnswerManner) => void) | undefined;
}): AskModel {
  const { client, url, protocol, model, reasoningEffort, dialect, timeouts, redact, onManner } = options;
  let writer = createWriter(protocol, dialect.refused);

  /** Counts for this conversation alone: the server refuses one of its images, and may take others. */
  let ownRefusal: string | undefined;

  return async (request, signal) => {
    const isAboutImages = hasImages(request.turns);
    let refusal = dialect.imagesRefused ?? ownRefusal;
    let imagesError: unknown;
    for (let refused = dialect.refused; ; ) {
      try {
        const leftOut = isAboutImages && refusal !== undefined ? refused.union(new Set([imagesField])) : refused;
        const answer = await askOnce(request, leftOut, signal);
        if (imagesError !== undefined && refusesEveryImage(imagesError)) dialect.learn(leftOut, refusal);
        else dialect.learn(refused);
        ownRefusal = refusal;
        return isAboutImages && refusal !== undefined ? { ...answer, imagesRefused: refusal } : answer;
      } catch (error) {
        const more = findRefused({ error, ...listNames(request, refused) });
        if (more.length > 0) refused = refused.union(new Set(more));
        else if (isAboutImages && refusal === undefined && mayRefuseImages(error)) {
          imagesError = error;
          refusal = quoteServer(error, redact) ?? 'it gave no reason';
        } else throw imagesError ?? error;
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
    const imageBytes = refused.has(imagesField) ? 0 : countImageBytes(request.turns);
    const sentBytes = body.size - imageBytes;
    return { ...answer, usage: usage ?? estimateUsage({ sentBytes, received: answer.items }) };
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
  const toAccepted = (turn: Turn) => {
    if (refused.size === 0) return toItems(turn);
    const shown = refused.has(imagesField) ? withoutImages(turn) : turn;
    return toItems(shown).map((item) => withoutItemFields(item, refused));
  };
  return { refused, write: createBodyWriter(list, toAccepted) };
}

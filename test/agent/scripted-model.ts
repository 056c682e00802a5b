import type { Model, ModelAnswer, ModelRequest } from '../../src/agent/model/model.ts';

/** A model that plays one answer per turn and keeps what it was asked. The last answer repeats for ever. */
export function createScriptedModel(
  answers: (ModelAnswer | ((request: ModelRequest, signal: AbortSignal) => Promise<ModelAnswer>))[],
): Model & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    requests,
    async respond(request, signal) {
      requests.push(structuredClone(request));
      const answer = answers[Math.min(request.turns.length, answers.length) - 1];
      if (answer === undefined) {
        throw new Error('nothing to play');
      }
      return typeof answer === 'function' ? answer(request, signal) : answer;
    },
  };
}

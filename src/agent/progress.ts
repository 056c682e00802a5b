import { Refusal } from '../errors.ts';
import type { Turn } from './model/model.ts';

/** Whether a run gets on, judged by its turns alone, so that a worker that takes it over judges the same. */
export type Progress =
  | { kind: 'moving' }
  | { kind: 'nudge'; text: string }
  | { kind: 'given_up'; reason: NoProgressReason };

/** `empty_answers`: twice in a row an answer that is empty or cut off. `repeated_steps`: the same calls with the same results. */
export type NoProgressReason = 'empty_answers' | 'repeated_steps';

/** The model makes no progress, so the agent gives up. */
export class NoProgress extends Refusal {
  override readonly name = 'NoProgress';
  readonly reason: NoProgressReason;

  constructor(reason: NoProgressReason) {
    super(`the model makes no progress: ${reason}`);
    this.reason = reason;
  }
}

export const emptyNudge =
  'Your last answer had neither text nor a tool call, or was cut off. Go on in smaller steps, and call finish when everything is done.';
export const stuckNudge =
  'You are repeating yourself: the same tool calls keep giving the same results. Try something else, or call finish and say what is in the way.';

/**
 * Decides what to tell a model that does not get on. For an answer that is empty or cut off it is nudged; the second such answer in a row
 * ends the run. For the same calls with the same results four turns in a row, or two such turns alternating over six, it is nudged once in
 * a run; the next time ends the run. The patterns are those of OpenHands' stuck detector:
 * https://docs.openhands.dev/sdk/guides/agent-stuck-detector
 */
export function evaluateProgress(turns: readonly Turn[]): Progress {
  const last = turns.at(-1);
  if (last !== undefined && isEmptyHanded(last)) {
    return last.inputs.includes(emptyNudge)
      ? { kind: 'given_up', reason: 'empty_answers' }
      : { kind: 'nudge', text: emptyNudge };
  }
  const nudgedAt = turns.findLastIndex((turn) => turn.inputs.includes(stuckNudge));
  if (!isRepeating(turns.slice(Math.max(0, nudgedAt)))) {
    return { kind: 'moving' };
  }
  return nudgedAt >= 0 ? { kind: 'given_up', reason: 'repeated_steps' } : { kind: 'nudge', text: stuckNudge };
}

const isEmptyHanded = ({ answer }: Turn) =>
  answer !== null && answer.toolCalls.length === 0 && (answer.stop === 'length' || answer.text.trim() === '');

function isRepeating(turns: readonly Turn[]): boolean {
  const latest = turns.slice(-6).map(describeTurn);
  const isSame = (from: number, distance: number) =>
    latest.slice(from).every((turn, index, all) => turn !== '' && (index < distance || turn === all[index - distance]));
  return (latest.length >= 4 && isSame(-4, 1)) || (latest.length === 6 && isSame(-6, 2));
}

/** A turn's calls and their results, without the ids, which differ each time; empty when it made no calls. */
const describeTurn = ({ answer, results }: Turn) =>
  answer === null || answer.toolCalls.length === 0
    ? ''
    : JSON.stringify([
        answer.toolCalls.map((call) => [call.name, call.arguments]),
        results?.map((result) => [result.output, result.isError]),
      ]);

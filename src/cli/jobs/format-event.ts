import type { EventData, EventType } from '../../store/tables/jobs/event-data.ts';

const maxWidth = 200;

/** For each type, what a line shows after the time. Undefined: nothing. */
const texts: { [Type in EventType]: (data: EventData[Type]) => string | undefined } = {
  'job.created': ({ ref, model }) => `job created on ${ref}, for ${model}`,
  'message.accepted': ({ author, text }) => `${author}: ${text}`,
  'run.started': ({ number }) => `run ${number} started`,
  'run.waiting': ({ reason }) => `  waits, and is tried again: ${reason}`,
  'turn.answered': ({ text }) => (text === '' ? undefined : `  ${text}`),
  'tool.finished': ({ name, arguments: input, isError }) => `  ${name} ${input}${isError ? ' (refused)' : ''}`,
  'file.changed': ({ path, additions, deletions }) => `  changed ${path} +${additions ?? '?'} -${deletions ?? '?'}`,
  'check.problem': ({ file, line, message, sentBack }) =>
    `  ${sentBack ? 'to fix' : 'left'}: ${file}:${line} ${message}`,
  'run.ended': ({ number, code, sentence, tokensIn, tokensOut }) =>
    `run ${number} ended, ${code}: ${sentence} (${tokensIn} tokens in, ${tokensOut} out)`,
  'pull_request.opened': ({ url }) => `pull request opened: ${url}`,
  'pull_request.updated': ({ url }) => `pull request updated: ${url}`,
  'job.completed': () => 'job completed',
  'job.failed': () => 'job failed',
  'job.archived': ({ reason }) => `job archived: ${reason}`,
  'job.unarchived': () => 'job is open again',
};

/** One line without control characters: the texts of models and people must not steer a terminal. */
export function formatEvent({ type, at, data }: { type: string; at: Date; data: object }): string | undefined {
  if (!Object.hasOwn(texts, type)) return undefined;
  // Each row was written with the data of its type.
  const text = (texts as Record<string, (data: object) => string | undefined>)[type]?.(data);
  if (text === undefined) return undefined;
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trimEnd();
  const line = [...plain].length > maxWidth ? `${[...plain].slice(0, maxWidth - 1).join('')}…` : plain;
  return `${at.toISOString().slice(11, 19)}  ${line}`;
}

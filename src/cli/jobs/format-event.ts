import type { EventData, EventType } from '../../store/tables/jobs/event-data.ts';

const maxWidth = 200;

/** For each type, what the line shows after the time, and the lines below it. Undefined: nothing. */
const texts: { [Type in EventType]: (data: EventData[Type]) => string | [line: string, below: string] | undefined } = {
  'job.created': ({ ref, model }) => `job created on ${ref}, for ${model}`,
  'message.accepted': ({ author, text }) => `${author}: ${text}`,
  'automation.started': ({ name, occasions }) => `automation ${name} started it: ${occasions.join(', ')}`,
  'run.started': ({ number }) => `run ${number} started`,
  'run.waiting': ({ reason }) => `  waiting to retry: ${reason}`,
  'turn.answered': ({ text }) => (text === '' ? undefined : `  ${text}`),
  'tool.finished': ({ name, arguments: input, isError }) => `  ${name} ${input}${isError ? ' (error)' : ''}`,
  'file.changed': ({ path, additions, deletions }) => `  changed ${path} +${additions ?? '?'} -${deletions ?? '?'}`,
  'check.problem': ({ file, line, message, sentBack }) =>
    `  ${sentBack ? 'to fix' : 'left'}: ${file}:${line} ${message}`,
  // Events of earlier releases have no summary.
  'run.ended': ({ number, code, sentence, summary = null, tokensIn, tokensOut }) => [
    `run ${number} ended, ${code}: ${sentence} (${tokensIn} tokens in, ${tokensOut} out)`,
    summary ?? '',
  ],
  'pull_request.opened': ({ url }) => `pull request opened: ${url}`,
  'pull_request.updated': ({ url }) => `pull request updated: ${url}`,
  'job.completed': () => 'job completed',
  'job.failed': () => 'job failed',
  'job.archived': ({ reason }) => `job archived: ${reason}`,
  'job.unarchived': () => 'job unarchived',
};

/** Leaves out control characters: the texts of models and people must not steer a terminal. */
export function formatEvent({ type, at, data }: { type: string; at: Date; data: object }): string | undefined {
  if (!Object.hasOwn(texts, type)) return undefined;
  // Each row was written with the data of its type.
  const shown = (texts as Record<string, (data: object) => string | [string, string] | undefined>)[type]?.(data);
  if (shown === undefined) return undefined;
  const [text, below] = typeof shown === 'string' ? [shown, ''] : shown;
  const plain = withoutControls(text);
  const line = [...plain].length > maxWidth ? `${[...plain].slice(0, maxWidth - 1).join('')}…` : plain;
  const rows = below.split('\n').map(withoutControls).filter(Boolean);
  return [`${at.toISOString().slice(11, 19)}  ${line}`, ...rows.map((row) => `            ${row}`)].join('\n');
}

/** Takes control characters out of texts of models and people, for a terminal. */
export const withoutControls = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trimEnd();

import { z } from 'zod';
import type { EventData, EventType } from '../../../store/tables/jobs/event-data.ts';
import type { StoredEvent } from '../../../store/tables/jobs/events.ts';
import {
  component,
  countSchema,
  messageIdExample,
  repositoryExample,
  runIdExample,
  text,
  textOrNull,
  timeSchema,
} from '../description/shared-schemas.ts';

const runId = z.string().meta({ example: runIdExample });
const turn = countSchema.meta({ description: 'Counts the turns of the run from 0.', example: 3 });
const tokens = { tokensIn: countSchema, tokensCached: countSchema, tokensOut: countSchema };
const code = text('How the run ended, for programs.', 'published');
const sentence = z.string().describe('How the run ended, for people.');
const lines = countSchema.nullable();

const pullRequest = z.object({
  runId,
  number: z.int().min(1).meta({ example: 7 }),
  url: z.string().meta({ example: `${repositoryExample}/pull/7` }),
  title: z.string().meta({ example: 'Document the new rate limit' }),
});

/** The meaning and the data of each type of event. */
const types: { [Type in EventType]: { meaning: string; data: z.ZodType<EventData[Type]> } } = {
  'job.created': {
    meaning: 'A request was accepted. Always the first event.',
    data: z.object({ ref: z.string().meta({ example: 'main' }), model: z.string(), draft: z.boolean() }),
  },
  'message.accepted': {
    meaning: 'An instruction was accepted.',
    data: z.object({
      messageId: z.string().meta({ example: messageIdExample }),
      source: text('`api`, `comment`, `review`, `dashboard`, `automation`, `issue` or `checks`.', 'api'),
      author: text('A GitHub login, the name of an API key or automation, or who ran `pagewright jobs`.', 'ci'),
      text: z.string().meta({ example: 'Document the new rate limit.' }),
    }),
  },
  'automation.started': {
    meaning: 'An automation sent the message before.',
    data: z.object({
      messageId: z.string().meta({ example: messageIdExample }),
      name: z.string().meta({ example: 'api-reference' }),
      occasions: z.array(z.string()).meta({ description: 'What triggered it.', example: ['acme/api#12'] }),
    }),
  },
  'run.started': {
    meaning: 'A run began.',
    data: z.object({ runId, number: z.int().min(1).describe('Counts the runs of the job from 1.') }),
  },
  'run.waiting': {
    meaning: 'A run waits for its next try. The same reason is not repeated.',
    data: z.object({ runId, reason: z.string().meta({ example: 'GitHub does not answer' }) }),
  },
  'turn.answered': {
    meaning: 'The model answered.',
    data: z.object({
      runId,
      turn,
      text: z.string(),
      ...tokens,
      tools: z.array(z.string()).describe('The names of the tools that it calls.'),
    }),
  },
  'tool.finished': {
    meaning: 'A tool call ended.',
    data: z.object({
      runId,
      turn,
      name: z.string().meta({ example: 'edit_file' }),
      arguments: z.string().describe('The model’s JSON, as text.'),
      result: z.string(),
      isError: z.boolean(),
    }),
  },
  'file.changed': {
    meaning: 'A file changed. Lines are counted so far, against the base; `null`: not counted.',
    data: z.object({
      runId,
      path: z.string().meta({ example: 'docs/limits.md' }),
      additions: lines,
      deletions: lines,
    }),
  },
  'check.problem': {
    meaning: 'A check of the documentation found a problem.',
    data: z.object({
      runId,
      file: z.string(),
      line: countSchema,
      kind: z.string().meta({ example: 'link' }),
      severity: z.enum(['must', 'should']),
      message: z.string(),
      sentBack: z.boolean().describe('`true`: the agent was asked to fix it. `false`: it is published.'),
    }),
  },
  'run.ended': {
    meaning: 'A run ended.',
    data: z.object({
      runId,
      number: z.int().min(1),
      outcome: z.enum(['completed', 'failed']),
      code,
      sentence,
      summary: textOrNull('What the agent says about its changes, or its answer.', 'The limit is 100.'),
      commit: z.string().nullable().describe('The SHA of the published commit.'),
      ...tokens,
    }),
  },
  'pull_request.opened': { meaning: 'The pull request was opened.', data: pullRequest },
  'pull_request.updated': { meaning: 'A run updated the pull request.', data: pullRequest },
  'job.completed': { meaning: 'The job is completed.', data: z.object({ runId }) },
  'job.failed': { meaning: 'The job failed.', data: z.object({ runId, code, sentence }) },
  'job.archived': {
    meaning: 'The job was archived.',
    data: z.object({
      reason: text('`requested`, `merged`, `closed` or `repository_gone`.', 'merged'),
    }),
  },
  'job.unarchived': { meaning: 'The job was unarchived.', data: z.object({}) },
};

const seq = z.int().min(1).meta({ description: 'Counts the events of a job from 1, without gaps.', example: 7 });
const at = timeSchema.describe('When it happened.');

const example = {
  seq: 4,
  type: 'turn.answered',
  at: '2026-11-20T20:06:07.412Z',
  data: {
    runId: runIdExample,
    turn: 0,
    text: 'I correct the limit.',
    tools: ['edit_file'],
    tokensIn: 2379,
    tokensCached: 0,
    tokensOut: 38,
  },
};

/** `RunStartedEvent` for `run.started`. */
const nameSchema = (type: string) =>
  `${type.replaceAll(/(?:^|[._])(\w)/g, (_whole, letter: string) => letter.toUpperCase())}Event`;

const eventSchema = z
  .union(
    Object.entries(types).map(([type, { meaning, data }]) =>
      z.object({ seq, type: z.literal(type), at, data }).meta({ id: nameSchema(type), description: meaning }),
    ),
  )
  .meta({
    id: 'Event',
    description: 'The form of `data` depends on `type`. New types and members may be added.',
    example,
  });

export const eventsSchema = component('Events', {
  events: z.array(eventSchema).describe('Oldest first.'),
  next: z.int().min(0).meta({ description: 'Pass it as `after` to get the next events.', example: 4 }),
});

/** One event of a stream, as it is sent. */
export const frameExample = `id: ${example.seq}
event: ${example.type}
data: ${JSON.stringify(example)}

`;

export const toEventResource = ({ seq: number, type, at: moment, data }: StoredEvent) => ({
  seq: number,
  type,
  at: moment.toISOString(),
  data: { ...data },
});

import { z } from 'zod';
import { readShownPublication, writeLines } from '../../../jobs/shown-publication.ts';
import type { RunsPage } from '../../../store/lists/list-runs.ts';
import { runPhases } from '../../../store/tables/columns.ts';
import type { Effect } from '../../../store/tables/jobs/effects.ts';
import type { Message } from '../../../store/tables/jobs/messages.ts';
import { countSchema, runIdExample, timeSchema } from '../description/parameters.ts';
import { messageFields } from '../jobs/job-resource.ts';
import { nextCursorSchema } from '../requests/lists.ts';
import { effectSchema, listAskers, toEffectResource } from './effect-resource.ts';

const { id, source, author, state, createdAt } = messageFields;

const messageSchema = z
  .object({
    id,
    source,
    author,
    prompt: z.string().meta({ example: 'Document the new rate limit.' }),
    state,
    reason: z.string().nullable().meta({ description: 'Why the message was dropped.', example: null }),
    deliveryId: z
      .string()
      .nullable()
      .meta({ description: 'The webhook delivery of the message. `null` for messages from the API.', example: null }),
    createdAt,
  })
  .meta({ id: 'Message' });

const problemSchema = z.object({
  file: z.string(),
  line: z.int().min(0),
  kind: z.string().meta({ example: 'link' }),
  severity: z.enum(['must', 'should']),
  message: z.string(),
  target: z.string().meta({ description: 'The target of the link or entry.' }),
  explanation: z.string().nullable().meta({ description: 'Why the agent left it, in its words.', example: null }),
});

const checksSchema = z
  .object({
    ran: z.boolean().meta({ description: '`false`: they took too long or failed, and nothing was checked.' }),
    links: countSchema.meta({ description: 'Links of the whole documentation.' }),
    pages: countSchema.meta({ description: 'Pages that the change touched, whose syntax was parsed.' }),
    unparsed: countSchema.meta({
      description: 'Pages that the change touched, and that were not parsed for lack of time.',
    }),
    navigation: z.boolean().meta({ description: 'Whether entries of a navigation were read and checked.' }),
    notChecked: z.array(z.string()).meta({
      description: 'What the checks left alone and why, for people; at most 10 sentences.',
      example: ['Links are not judged: 21 of 48 are broken already.'],
    }),
    problems: z.array(problemSchema).meta({ description: 'New problems that were not fixed; at most 50.' }),
    more: countSchema.meta({ description: 'Problems beyond those.' }),
  })
  .meta({ id: 'Checks' });

const evidenceSchema = z
  .object({
    page: z.string().meta({ description: 'The page that makes the claim.', example: 'docs/limits.md' }),
    claim: z.string().meta({ example: 'The limit is 100 requests per minute.' }),
    repository: z.string().meta({ example: 'acme/api' }),
    path: z.string().meta({ example: 'src/limit.ts' }),
    lines: z.string().nullable().meta({ description: 'A line or a range. `null`: the whole file.', example: '12-20' }),
    commit: z.string().meta({
      description: 'The commit that the run read.',
      example: '6dcb09b5b57875f334f61aebed695e2e4193db5e',
    }),
    url: z.string().meta({ description: 'The permanent address of the place on GitHub.' }),
    isShown: z.boolean().meta({
      description: '`false`: the pull request leaves it out, because not all of its readers may open the repository.',
    }),
  })
  .meta({ id: 'Evidence' });

export const runSchema = z
  .object({
    id: z.string().meta({ example: runIdExample }),
    number: z.int().min(1).meta({ description: 'Counts the runs of a job from 1.' }),
    status: z.enum(runPhases).meta({ example: 'ended' }),
    outcome: z.enum(['completed', 'failed']).nullable().meta({ description: '`null` until the run has ended.' }),
    code: z.string().nullable().meta({ description: 'How the run ended, for programs.', example: 'published' }),
    sentence: z
      .string()
      .nullable()
      .meta({ description: 'How the run ended, for people.', example: 'The change is in the pull request.' }),
    summary: z.string().nullable().meta({
      description: 'The agent’s summary of its changes, or why it made none.',
      example: 'The errors page says 100 requests.',
    }),
    waitsFor: z.string().nullable().meta({
      description: 'Why the run waits now, for people. Pagewright tries it again by itself. `null`: it does not wait.',
      example: null,
    }),
    startedAt: timeSchema,
    finishedAt: timeSchema.nullable(),
    turns: countSchema,
    tokensIn: countSchema,
    tokensOut: countSchema,
    tokensCached: countSchema.meta({ description: 'The part of `tokensIn` that the model’s provider had cached.' }),
    commit: z
      .string()
      .nullable()
      .meta({ description: 'The SHA of the published commit.', example: '6dcb09b5b57875f334f61aebed695e2e4193db5e' }),
    messages: z.array(messageSchema).meta({ description: 'The messages that the run received, in order.' }),
    effects: z.array(effectSchema).meta({ description: 'The run’s writes to GitHub, in order.' }),
    checks: checksSchema
      .nullable()
      .meta({ description: 'The result of the checks of the documentation. `null` if the run published nothing.' }),
    evidence: z.array(evidenceSchema).meta({
      description: 'What the published change rests on: places that existed at the commit that the run read.',
    }),
    warnings: z
      .array(z.string())
      .meta({ description: 'Problems that did not fail the run, and what to do about them, for people.' }),
  })
  .meta({ id: 'Run' });

export const runsSchema = z
  .object({
    runs: z.array(runSchema).meta({ description: 'Newest first.' }),
    waiting: z.array(messageSchema).meta({
      description: 'Messages for the next turn of the live run, or for the next run. On the first page only.',
    }),
    dropped: z.array(messageSchema).meta({
      description: 'Messages that were dropped before a run received them, the newest hundred. On the first page only.',
    }),
    effects: z
      .array(effectSchema)
      .meta({ description: 'Writes to GitHub outside of runs, the newest hundred, in order. On the first page only.' }),
    nextCursor: nextCursorSchema,
  })
  .meta({ id: 'Runs' });

export function toRunsResource({ items: runs, isFirst, messages, effects }: RunsPage) {
  const toResource = (effect: Effect) => toEffectResource(effect, listAskers(effect, messages));
  const withoutRun = isFirst ? messages.filter((message) => message.run_id === null) : [];
  return {
    runs: runs.map((run) => {
      const publication = readShownPublication(run);
      return {
        id: run.run_id,
        number: run.number,
        status: run.phase,
        outcome: run.outcome,
        code: run.code,
        sentence: run.sentence,
        summary: publication?.summary ?? null,
        waitsFor: run.waitsFor,
        startedAt: run.started_at.toISOString(),
        finishedAt: run.ended_at?.toISOString() ?? null,
        turns: run.turns,
        tokensIn: run.tokens_in,
        tokensOut: run.tokens_out,
        tokensCached: run.tokens_cached,
        commit: run.commit_sha,
        messages: messages.filter((message) => message.run_id === run.run_id).map(toMessageResource),
        effects: effects.filter((effect) => effect.run_id === run.run_id).map(toResource),
        checks: publication?.checks ?? null,
        evidence: (publication?.evidence ?? []).map((each) => ({
          ...each,
          lines: each.lines && writeLines(each.lines),
        })),
        warnings: run.warnings,
      };
    }),
    waiting: withoutRun.filter(({ state }) => state === 'waiting').map(toMessageResource),
    dropped: withoutRun.filter(({ state }) => state === 'dropped').map(toMessageResource),
    effects: effects.filter(({ run_id }) => run_id === null).map(toResource),
  };
}

const toMessageResource = (message: Message): z.infer<typeof messageSchema> => ({
  id: message.message_id,
  source: message.source,
  author: message.author,
  prompt: message.prompt,
  state: message.state,
  reason: message.reason,
  deliveryId: message.delivery_id,
  createdAt: message.created_at.toISOString(),
});

import { z } from 'zod';
import { readShownPublication, writeLines } from '../../../jobs/shown-publication.ts';
import type { RunsPage } from '../../../store/lists/list-runs.ts';
import { runPhases } from '../../../store/tables/columns.ts';
import type { Effect } from '../../../store/tables/jobs/effects.ts';
import type { Message } from '../../../store/tables/jobs/messages.ts';
import { component, countSchema, runIdExample, text, textOrNull, timeSchema } from '../description/shared-schemas.ts';
import { messageFields } from '../jobs/job-resource.ts';
import { nextCursorSchema } from '../requests/lists.ts';
import { effectSchema, listAskers, toEffectResource } from './effect-resource.ts';

const { id, source, author, state, createdAt } = messageFields;

const messageSchema = component('Message', {
  id,
  source,
  author,
  prompt: z.string().meta({ example: 'Document the new rate limit.' }),
  state,
  reason: textOrNull('Why the message was dropped.', null),
  deliveryId: textOrNull('The webhook delivery of the message. `null` for messages from the API.', null),
  createdAt,
});

const problemSchema = z.object({
  file: z.string(),
  line: z.int().min(0),
  kind: z.string().meta({ example: 'link' }),
  severity: z.enum(['must', 'should']),
  message: z.string(),
  target: z.string().describe('The target of the link or entry.'),
  explanation: textOrNull('Why the agent left it, in its words.', null),
});

const checksSchema = component('Checks', {
  ran: z.boolean().describe('`false`: they took too long or failed, and nothing was checked.'),
  links: countSchema.describe('Links of the whole documentation.'),
  pages: countSchema.describe('Pages that the change touched, whose syntax was parsed.'),
  unparsed: countSchema.describe('Pages that the change touched, and that were not parsed for lack of time.'),
  navigation: z.boolean().describe('Whether entries of a navigation were read and checked.'),
  notChecked: z.array(z.string()).meta({
    description: 'What the checks left alone and why, for people; at most 10 sentences.',
    example: ['Links are not judged: 21 of 48 are broken already.'],
  }),
  problems: z.array(problemSchema).describe('New problems that were not fixed; at most 50.'),
  more: countSchema.describe('Problems beyond those.'),
});

const evidenceSchema = component('Evidence', {
  page: text('The page that makes the claim.', 'docs/limits.md'),
  claim: z.string().meta({ example: 'The limit is 100 requests per minute.' }),
  repository: z.string().meta({ example: 'acme/api' }),
  path: z.string().meta({ example: 'src/limit.ts' }),
  lines: textOrNull('A line or a range. `null`: the whole file.', '12-20'),
  commit: text('The commit that the run read.', '6dcb09b5b57875f334f61aebed695e2e4193db5e'),
  url: z.string().describe('The permanent address of the place on GitHub.'),
  isShown: z
    .boolean()
    .describe('`false`: the pull request leaves it out, because not all of its readers may open the repository.'),
});

export const runSchema = component('Run', {
  id: z.string().meta({ example: runIdExample }),
  number: z.int().min(1).describe('Counts the runs of a job from 1.'),
  status: z.enum(runPhases).meta({ example: 'ended' }),
  outcome: z.enum(['completed', 'failed']).nullable().describe('`null` until the run has ended.'),
  code: textOrNull('How the run ended, for programs.', 'published'),
  sentence: textOrNull('How the run ended, for people.', 'The change is in the pull request.'),
  summary: textOrNull('The agent’s summary of its changes, or why it made none.', 'The errors page says 100 requests.'),
  waitsFor: textOrNull(
    'Why the run waits now, for people. Pagewright tries it again by itself. `null`: it does not wait.',
    null,
  ),
  startedAt: timeSchema,
  finishedAt: timeSchema.nullable(),
  turns: countSchema,
  tokensIn: countSchema,
  tokensOut: countSchema,
  tokensCached: countSchema.describe('The part of `tokensIn` that the model’s provider had cached.'),
  commit: textOrNull('The SHA of the published commit.', '6dcb09b5b57875f334f61aebed695e2e4193db5e'),
  messages: z.array(messageSchema).describe('The messages that the run received, in order.'),
  effects: z.array(effectSchema).describe('The run’s writes to GitHub, in order.'),
  checks: checksSchema
    .nullable()
    .describe('The result of the checks of the documentation. `null` if the run published nothing.'),
  evidence: z
    .array(evidenceSchema)
    .describe('What the published change rests on: places that existed at the commit that the run read.'),
  warnings: z.array(z.string()).describe('Problems that did not fail the run, and what to do about them, for people.'),
});

export const runsSchema = component('Runs', {
  runs: z.array(runSchema).describe('Newest first.'),
  waiting: z
    .array(messageSchema)
    .describe('Messages for the next turn of the live run, or for the next run. On the first page only.'),
  dropped: z
    .array(messageSchema)
    .describe('Messages that were dropped before a run received them, the newest hundred. On the first page only.'),
  effects: z
    .array(effectSchema)
    .describe('Writes to GitHub outside of runs, the newest hundred, in order. On the first page only.'),
  nextCursor: nextCursorSchema,
});

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

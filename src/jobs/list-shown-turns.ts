import { z } from 'zod';
import type { Tokens } from '../config/prices.ts';
import { threadId } from '../effects/run-answers.ts';
import { type ListedMessage, listMessagesOfJob } from '../store/lists/list-runs.ts';
import { type CutText, type ListedTurn, listTurnsOfRun } from '../store/lists/list-turns.ts';
import type { ListPage, PageRequest } from '../store/lists/page.ts';
import type { Database } from '../store/postgres/database.ts';
import type { Message } from '../store/tables/jobs/messages.ts';
import { boundCounted } from '../text/bound.ts';

export interface ShownTurn extends Tokens {
  /** Its place in the run. */
  index: number;
  /** null: the model has not answered yet. */
  text: string | null;
  calls: ShownCall[];
  /** null: the turn has not ended, or ended in an earlier release. */
  durationMs: number | null;
}

export interface ShownCall {
  name: string;
  /** The model's JSON text. */
  arguments: string;
  /** null: the tool has not answered yet. */
  result: string | null;
  isError: boolean;
}

const maxTextLength = 20_000;
const maxCallLength = 4_000;
/** Read beyond what is shown: a secret at the cut must be read whole to be hidden. */
const margin = 8_000;

/** How the result of `check` begins. */
export const countOfLinks = /^checked links: (\d{1,9})/;
const countLength = 40;

type Redact = (text: string) => string;

/** Newest first, as they were before any compaction. Texts, arguments and results are redacted, then cut; each says how much was cut. Without `hasResults`, only whether a tool answered is known, and how many links were checked. */
export async function listShownTurns(
  database: Database,
  { runId, redact, hasResults = true }: { runId: string; redact: Redact; hasResults?: boolean },
  page: PageRequest<number>,
): Promise<ListPage<ShownTurn, number>> {
  const callLength = maxCallLength + margin;
  const lengths = {
    textLength: maxTextLength + margin,
    callLength,
    resultLength: hasResults ? callLength : countLength,
  };
  const { items, next } = await listTurnsOfRun(database, { runId, ...lengths }, page);
  return { items: items.map((turn) => showTurn(turn, redact, hasResults)), next };
}

function showTurn(
  { turn_index: index, text, calls, usage, duration_ms: durationMs }: ListedTurn,
  redact: Redact,
  hasResults: boolean,
): ShownTurn {
  const show = ({ text: read, more }: CutText, maxLength: number) => boundCounted(redact(read), maxLength, more);
  return {
    index,
    text: text && show(text, maxTextLength),
    calls: calls.map((call) => ({
      name: call.name,
      arguments: show(call.arguments, maxCallLength),
      result:
        call.result &&
        (hasResults ? show(call.result, maxCallLength) : (countOfLinks.exec(call.result.text)?.[0] ?? '')),
      isError: call.isError ?? false,
    })),
    ...(usage ?? { tokensIn: 0, tokensCached: 0, tokensOut: 0 }),
    durationMs: durationMs === null ? null : Math.round(durationMs),
  };
}

export interface AnsweredMessage {
  message: Message;
  /** The answer of the run that took it; null: it has not ended, or no run took it. */
  answer: string | null;
}

/** Newest first. */
export async function listShownMessages(
  database: Database,
  jobId: string,
  page: PageRequest<number>,
): Promise<ListPage<AnsweredMessage, number>> {
  const { items, next } = await listMessagesOfJob(database, jobId, page);
  return { items: items.map((message) => ({ message, answer: findAnswer(message) })), next };
}

const repliesShape = z.array(z.object({ message: z.string(), text: z.string() }));

/** The replies to the message and to its review threads; without one, the summary of the run, or why it failed. */
function findAnswer({ state, message_id: messageId, context, ...run }: ListedMessage): string | null {
  if (state !== 'answered') return run.sentence;
  const threads = (context?.review?.threads ?? []).map(({ rootId }) => threadId(rootId));
  const names = [messageId, ...threads];
  const replies = repliesShape.parse(run.replies ?? []).filter(({ message }) => names.includes(message));
  return replies.length > 0 ? replies.map(({ text }) => text).join('\n\n') : (run.summary ?? run.sentence);
}

import { z } from 'zod';
import { storableText } from './journal.ts';
import type { Turn } from './model/model.ts';
import { createTool, type Tool, toolError, toolOk } from './tool.ts';

const finishArguments = z.object({
  summary: z
    .string()
    .min(1)
    .describe(
      'What you did and why, in a few plain sentences for the people who asked. If nothing needed to change, say why.',
    ),
  title: z
    .string()
    .min(1)
    .exactOptional()
    .describe(
      'Title of the whole pull request, not only of your last change: imperative, under 70 characters. Give it the first time, and again only when the pull request has become about something else.',
    ),
  description: z
    .string()
    .min(1)
    .exactOptional()
    .describe(
      'Description of the whole pull request in Markdown: what changes for readers of the documentation, and why. Give it the first time, and again when the changes no longer fit it.',
    ),
  replies: z
    .array(
      z.object({
        message: z.string().describe('The id of the message that is answered, as it stands in <message id="…">.'),
        text: z.string().min(1).describe('The answer to that message, one or two sentences.'),
      }),
    )
    .exactOptional()
    .describe('Answers to single messages, for those that deserve more than the summary: questions, review remarks.'),
});

/** What the model says when it is done. `title` and `description` are of the whole pull request, `replies[].message` is a message's id. */
export type Finish = z.infer<typeof finishArguments>;

/** The tool that ends a run. The loop offers it by itself; a valid call is the end, a bad one an error result like any other. */
export const finishTool = createTool({
  name: 'finish',
  description:
    'Ends your work: call it once, when everything that was asked is done, or when you are sure that nothing needs to change. Your file changes are then checked and published as a pull request.',
  arguments: finishArguments,
  execute: () => toolOk('finished'),
});

/** The arguments of a finish call that `finishTool.call` has accepted. Throws on any other text. */
export function parseFinish(argumentsText: string): Finish {
  const { summary, title, description, replies } = finishArguments.parse(JSON.parse(argumentsText));
  return {
    summary: storableText(summary),
    ...(title !== undefined && { title: storableText(title) }),
    ...(description !== undefined && { description: storableText(description) }),
    ...(replies && { replies: replies.map(({ message, text }) => ({ message, text: storableText(text) })) }),
  };
}

/** Finds what is wrong with the work as it stands: one sentence each, written for the model; empty when nothing is. */
export type FindProblems = (signal: AbortSignal) => Promise<string[]>;

/** How often the model is sent back to work; after that its end is taken as it is. */
const maxHeldUp = 2;

/** How the message that sends the model back begins; the turns that hold it are counted to know how often that was. */
const opening = 'not finished yet; solve this first, then call finish again:';

/**
 * The message that sends the model back to work, a bounded number of times; undefined when it may end. `failed` names the tools whose calls
 * failed in the answer that ends.
 */
export async function findObjection({
  findProblems,
  turns,
  signal,
  failed = new Set(),
}: {
  findProblems: FindProblems;
  turns: readonly Turn[];
  signal: AbortSignal;
  failed?: ReadonlySet<string> | undefined;
}): Promise<string | undefined> {
  if (countHeldUp(turns) >= maxHeldUp) return undefined;
  // The summary was written before the model could know of failed calls.
  const problems = [...(failed.size > 0 ? [describeFailed(failed)] : []), ...(await findProblems(signal))];
  return problems.length === 0 ? undefined : [opening, ...problems].join('\n');
}

/**
 * The finish tool, which sends the model back to work while there are problems, or when calls beside it failed. `turns` holds all turns so
 * far, including the one being worked on.
 */
export function createCheckedFinish(given: { findProblems: FindProblems; turns: readonly Turn[] }): Tool {
  return {
    ...finishTool,
    async call(argumentsText, signal, failed) {
      const result = await finishTool.call(argumentsText, signal);
      const objection = result.isError ? undefined : await findObjection({ ...given, signal, failed });
      return objection === undefined ? result : toolError(objection);
    },
  };
}

const describeFailed = (names: ReadonlySet<string>) =>
  `these calls beside it failed: ${[...names].join(', ')}. Look at their results: the summary must not claim what was not done.`;

const countHeldUp = (turns: readonly Turn[]) =>
  turns
    .flatMap(({ inputs, results }) => [...inputs, ...(results ?? []).map(({ output }) => output)])
    .filter((text) => text.startsWith(opening)).length;

import { z } from 'zod';
import { storableText } from './storable-text.ts';
import { createTool, toolOk } from './tool.ts';

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

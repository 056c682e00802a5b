import { z } from 'zod';
import { storableText } from './journal.ts';
import type { Turn } from './model/model.ts';
import { createTool, leaveOut, type Tool, toolError, toolOk } from './tool.ts';

const storable = (schema: z.ZodString) => schema.transform(storableText);
const text = storable(z.string().min(1));
const described = (what: string) => storable(z.string().min(1).describe(what)).exactOptional();

const finishArguments = z.object({
  summary: text,
  title: described('Imperative, under 70 characters.'),
  subject: described('Of a later commit.'),
  description: described('What changes for readers, and why.'),
  replies: z.array(z.object({ message: storable(z.string()), text })).exactOptional(),
  explained: z.array(z.object({ file: storable(z.string()), why: text })).exactOptional(),
  evidence: z
    .array(
      z.object({
        page: text,
        claim: text,
        path: text,
        lines: z.coerce.string().transform(storableText).exactOptional(),
      }),
    )
    .exactOptional()
    .describe('Where code says what pages now claim. lines: 12-20.'),
});

/** `title` and `description` are of the whole pull request; `replies[].message` is the id of a message. `explained`: why a problem of the checks stays. */
export type Finish = z.infer<typeof finishArguments>;

export const finishTool = createTool({
  name: 'finish',
  description: 'Publishes your work.',
  arguments: finishArguments,
  unlisted: ['explained'],
  execute: () => toolOk('finished'),
});

/** Parses the arguments of a finish call that `finishTool.call` accepted. Throws on any other text. */
export const parseFinish = (argumentsText: string): Finish => finishArguments.parse(JSON.parse(argumentsText));

/** One sentence per problem of the current files, and of the model's texts about them. Written for the model. `raised`: the objections since the last message. */
export type FindProblems = (
  finish: Finish,
  options: { raised: readonly string[]; signal: AbortSignal },
) => Promise<string[]>;

/** After so many objections since the last message, the next finish is accepted as it is, unless calls beside it failed for the first time. */
const maxObjections = 2;

/** Starts every objection. Objections are counted by it. */
const opening = 'not finished yet; solve this first, then call finish again:';

/** What the end of a run is held against. `turns` includes the current turn. */
interface EndCheck {
  findProblems: FindProblems;
  turns: readonly Turn[];
  isMessage: IsMessage;
}

/** Returns the message that sends the model back to work, if any. `failed` names the tools whose calls failed in the same answer. */
export async function findObjection(
  { findProblems, turns, isMessage }: EndCheck,
  finish: Finish,
  { signal, failed = new Set() }: { signal: AbortSignal; failed?: ReadonlySet<string> | undefined },
): Promise<string | undefined> {
  const raised = listObjections(turns, isMessage);
  const mayRaise = raised.length < maxObjections;
  const isFailureKnown = !mayRaise && raised.some((text) => text.includes(failedCalls));
  // The model wrote the summary before it could know of the failed calls.
  const problems = [
    ...(failed.size > 0 && !isFailureKnown ? [describeFailed(failed)] : []),
    ...(mayRaise ? await findProblems(finish, { raised, signal }) : []),
  ];
  return problems.length === 0 ? undefined : [opening, ...problems].join('\n');
}

/** The finish tool with objections to remaining problems and failed calls. `unneeded`: arguments that the schema leaves out. */
export const createCheckedFinish = (check: EndCheck, unneeded: readonly (keyof Finish)[]): Tool => ({
  ...finishTool,
  parameters: leaveOut(finishTool.parameters, unneeded),
  async call(argumentsText, signal, failed) {
    const result = await finishTool.call(argumentsText, signal);
    if (result.isError) return result;
    const objection = await findObjection(check, parseFinish(argumentsText), { signal, failed });
    return objection === undefined ? result : toolError(objection);
  },
});

const failedCalls = 'these calls in the same answer failed, or left a part undone:';

const describeFailed = (names: ReadonlySet<string>) =>
  `${failedCalls} ${[...names].join(', ')}. Read their results: the summary must not claim work that was not done.`;

/** Whether an input is a message of a person. */
export type IsMessage = (input: string) => boolean;

/** The objections since the last message: a new instruction brings new problems. */
function listObjections(turns: readonly Turn[], isMessage: IsMessage): string[] {
  const last = turns.findLastIndex(({ inputs }) => inputs.some(isMessage));
  return turns
    .slice(Math.max(0, last))
    .flatMap(({ inputs, results }, index) => [
      ...(index === 0 ? [] : inputs),
      ...(results ?? []).map(({ output }) => output),
    ])
    .filter((text) => text.startsWith(opening));
}

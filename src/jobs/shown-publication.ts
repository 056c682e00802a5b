import { z } from 'zod';
import { isId } from '../ids.ts';

/** The result of the checks of a published change. Stored with the publication, so that a takeover reports the same. */
export const checkReportSchema = z.object({
  /** False: they took too long or failed. */
  ran: z.boolean(),
  /** Counts those of the whole documentation. */
  links: z.number(),
  /** Pages that the change touched, whose syntax was parsed. */
  pages: z.number(),
  /** Pages that the change touched, for which there was no time. */
  unparsed: z.number().default(0),
  /** Whether entries of a navigation were read and judged. */
  navigation: z.boolean(),
  /** What was left alone and why, one sentence each. */
  notChecked: z.array(z.string()).default([]),
  /** New problems that were not fixed, those that must be fixed first; at most 50. */
  problems: z.array(
    z.object({
      file: z.string(),
      line: z.number(),
      kind: z.string(),
      severity: z.enum(['must', 'should']),
      message: z.string(),
      target: z.string(),
      /** Why the agent left it. */
      explanation: z.string().nullable().default(null),
    }),
  ),
  /** How many more problems there are. */
  more: z.number(),
});

/** A place that a statement rests on, at the commit that the run read. */
export const evidenceSchema = z.object({
  page: z.string(),
  claim: z.string(),
  /** `acme/api`. */
  repository: z.string(),
  path: z.string(),
  /** null: the whole file. */
  lines: z.object({ from: z.number(), to: z.number() }).nullable(),
  commit: z.string(),
  url: z.string(),
  /** Whether every reader of the pull request may open it. */
  isShown: z.boolean(),
});

const shape = z.object({
  summary: z.string(),
  checks: checkReportSchema.optional(),
  evidence: z.array(evidenceSchema).default([]),
});

/** What people and callers see of the publication of a run. Undefined: it published nothing. */
export const readShownPublication = ({ publication }: { publication: unknown }) => shape.safeParse(publication).data;

/** `12`, or `12-20`. */
export const writeLines = ({ from, to }: { from: number; to: number }): string =>
  from === to ? `${from}` : `${from}-${to}`;

const answerShape = z
  .object({
    summary: z.string(),
    replies: z.array(z.object({ message: z.string(), text: z.string() })).default([]),
  })
  .nullable();

/** What the agent says at the end of a run: its summary, then its answers to messages, without those in review threads. Null: nothing. */
export function readRunAnswer({ publication }: { publication: unknown }): string | null {
  const published = answerShape.parse(publication);
  if (published === null) return null;
  const answers = published.replies.filter(({ message }) => isId('msg', message)).map(({ text }) => text);
  const texts = [published.summary, ...answers].map((text) => text.trim()).filter(Boolean);
  return texts.length === 0 ? null : [...new Set(texts)].join('\n\n');
}

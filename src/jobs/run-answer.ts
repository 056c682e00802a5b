import { z } from 'zod';
import { isId } from '../ids.ts';

const shape = z
  .object({
    summary: z.string(),
    replies: z.array(z.object({ message: z.string(), text: z.string() })).default([]),
  })
  .nullable();

/** What the agent says at the end of a run: its summary, then its answers to messages, without those in review threads. Null: nothing. */
export function readRunAnswer({ publication }: { publication: unknown }): string | null {
  const published = shape.parse(publication);
  if (published === null) return null;
  const answers = published.replies.filter(({ message }) => isId('msg', message)).map(({ text }) => text);
  const texts = [published.summary, ...answers].map((text) => text.trim()).filter(Boolean);
  return texts.length === 0 ? null : [...new Set(texts)].join('\n\n');
}

import { bound } from '../bound.ts';
import { withoutInvisible } from '../invisible.ts';
import type { OutgoingContext } from './addresses.ts';
import { editMarkdown, findEdits } from './find-edits.ts';
import { writeCodeBlock } from './write-code.ts';

/** An edit may activate text that was inert before. Only a crafted text needs more rounds. */
const maxRounds = 8;

/**
 * Rewrites untrusted Markdown so that GitHub shows all of it and acts on nothing in it: no HTML, hidden text, mentions, references, commands,
 * or images and links to other places than the context allows. Code and formatting stay. Idempotent. The result must start a line.
 */
export function neutralizeMarkdown(markdown: string, context: OutgoingContext): string {
  let text = withoutMarkers(withoutInvisible(markdown)).trim();
  for (let round = 0; round < maxRounds && !context.isShownAsWritten; round += 1) {
    const edits = findEdits(text, context);
    if (edits.length === 0) return text;
    text = editMarkdown(text, edits).trim();
  }
  return writeCodeBlock(text);
}

/** The markers find our section of a body and our comments, in code too. */
const withoutMarkers = (text: string) => text.replace(/<!--(?=\s*pagewright:)/g, '<!- -');

/** Cuts before neutralizing, because a cut could go through a new code span. */
export function neutralizeBounded(markdown: string, maxLength: number, context: OutgoingContext): string {
  for (let room = maxLength; ; room = Math.floor(room / 2)) {
    const neutralized = neutralizeMarkdown(bound(markdown.trim(), room), context);
    if (neutralized.length <= maxLength) return neutralized;
  }
}

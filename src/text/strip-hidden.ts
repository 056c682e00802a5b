import { findHiddenParts } from './hidden-parts.ts';
import { withoutInvisible } from './invisible.ts';
import { withoutMarkup } from './without-markup.ts';

/** Removing a part may make another: `<!<!-- a -->-- b -->`. Nobody needs more rounds. */
const maxRounds = 4;

/** Removes the parts of Markdown that people do not see on GitHub, because they could hide instructions. Idempotent. */
export function stripHidden(text: string): string {
  let shown = withoutInvisible(text);
  for (let round = 0; round < maxRounds; round += 1) {
    const next = replaceParts(shown);
    if (next === shown) return shown;
    shown = next;
  }
  return withoutMarkup(shown);
}

function replaceParts(text: string): string {
  const kept: string[] = [];
  let end = 0;
  for (const { from, to, by } of findHiddenParts(text)) {
    if (from < end) continue;
    kept.push(text.slice(end, from), by);
    end = to;
  }
  return kept.join('') + text.slice(end);
}

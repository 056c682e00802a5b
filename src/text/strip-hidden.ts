import { withoutUnseenHtml } from './html-comments.ts';
import { replaceInvisible } from './invisible.ts';
import { withoutDefinitions } from './link-definitions.ts';
import { closesFence, type Fence, findFence, isPlainLine } from './markdown-code.ts';

/** The visible text. Invisible text could hide instructions. Keeps comments in certain code. Idempotent. */
export function stripHidden(text: string): string {
  const shown = withoutInvisible(text);
  const end = findPlainEnd(shown);
  return withoutDefinitions(shown.slice(0, end) + withoutUnseenHtml(shown.slice(end)), end);
}

export function withoutInvisible(text: string): string {
  return replaceInvisible(text.toWellFormed().replace(/\r\n?/g, '\n'), () => '');
}

/** Where text ends in which code is certainly code on GitHub. Later comments are removed from code too: it may be inside HTML or a link. */
function findPlainEnd(text: string): number {
  let fence: Fence | undefined;
  let end = 0;
  for (const line of text.split('\n')) {
    if (fence !== undefined) {
      if (closesFence(line, fence)) fence = undefined;
    } else {
      fence = findFence(line);
      const isPlain = fence === undefined ? isPlainLine(line) : fence.indent === 0;
      if (!isPlain) return end;
    }
    end += line.length + 1;
  }
  return text.length;
}

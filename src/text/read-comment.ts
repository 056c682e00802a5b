import { type ReadComment, readVisible } from './read-visible.ts';
import { stripHidden } from './strip-hidden.ts';

/** Ignores hidden text and lines that start with `aside`. Quoted lines alone are no instruction. A mention counts where GitHub would notify:
 * not in code, quotations, words or URLs. `stop`: only a mention and "stop" or "cancel". */
export function readComment(body: string, appSlug: string): ReadComment {
  return readVisible(stripHidden(body), appSlug);
}

import { withoutInvisible } from '../invisible.ts';
import { withoutMarks } from '../unseen-html.ts';
import { createReferenceTest, isAllowedLink, isConversation, type OutgoingContext } from './addresses.ts';

/**
 * For titles and commit messages, which are no Markdown and have no code, but have mentions, references, addresses and commands. A zero-width
 * space breaks them. Idempotent.
 */
export function neutralizePlain(text: string, context: OutgoingContext): string {
  const isKept = createReferenceTest(context);
  return withoutMarks(withoutInvisible(text))
    .replace(/(?:https?:\/\/|www\.)[^\s<]+/gi, (run) => quietAddresses(run, context))
    .replace(/\b(?!https?:)([a-z]+)(?=:\/\/)/gi, `$1${mark}`)
    .replace(/@(?=[a-z0-9])/gi, `@${mark}`)
    .replace(/#\d+/g, (written, at: number, whole: string) => {
      const isAlone = !/[\w./-]$/.test(whole.slice(0, at).slice(-1)) && !/^\w/.test(whole.charAt(at + written.length));
      return isAlone && isKept({ written, before: whole.slice(0, at) }) ? written : `#${mark}${written.slice(1)}`;
    })
    .replace(/(?<![a-z0-9])GH-(?=\d)/gi, `$&${mark}`)
    .replace(/^([ \t]*)(?=\/[a-z])/gim, `$1${mark}`)
    .replace(/\[(?=\s*(?:(?:skip|no)\s+ci|ci\s+skip|skip\s+actions|actions\s+skip)\s*\])/gi, `[${mark}`)
    .replace(/skip(?=-checks\s*:)/gi, `$&${mark}`);
}

/**
 * A closing keyword before the address of an issue closes it, so no conversation is linked. Of several addresses without a blank between them
 * none stays: renderers disagree on where one ends.
 */
function quietAddresses(run: string, context: OutgoingContext): string {
  const url = /^www\./i.test(run) ? `http://${run}` : run;
  const isOne = run.match(addressStart)?.length === (/^https?:\/\/www\./i.test(run) ? 2 : 1);
  if (isOne && isAllowedLink(url, context) && !isConversation(url, context)) return run;
  return run.replace(addressStart, `$&${mark}`);
}

/** Without the sign behind it, which stays in its place. */
const addressStart = /https?(?=:\/\/)|www(?=\.)/gi;
const mark = '\u200B';

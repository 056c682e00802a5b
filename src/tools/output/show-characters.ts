import { rewriteStrings } from '../../agent/json.ts';
import type { Tool } from '../../agent/tool.ts';
import { readShown, showInvisible } from '../../text/invisible.ts';
import type { RunTask, ThreadTask } from '../../threads/threads.ts';

const maxSmallCharacters = 8_192;
/** A shown form has up to nine characters for one. */
const maxShownCharacters = 80_000;

const note =
  '[Invisible characters are shown by their code points, as in the brackets above. Write them the same way to match or keep them, and leave them out to remove them. \u27E8U+27E8\u27E9U+200B\u27E9 is visible text \u27E8U+200B\u27E9.]';
const cutNote =
  '[The rest is left out: the shown forms of invisible characters are too long. Ask for fewer lines, or for a narrower path.]';

export const showTask: ThreadTask<string, string> = {
  module: import.meta.url,
  work: showWithNote,
  isSmall: (output) => output.length <= maxSmallCharacters || /^[\n -~]*$/.test(output),
};

/** The model sees invisible characters of files and names in their shown form, and may write them so in each argument. */
export function showCharacters(tool: Tool, runTask: RunTask): Tool {
  return {
    ...tool,
    async call(argumentsText, signal, failed) {
      const { output, isError } = await tool.call(readArguments(argumentsText), signal, failed);
      return { output: await runTask(showTask, output, signal), isError };
    },
  };
}

export function showWithNote(output: string): string {
  const shown = showInvisible(output);
  if (shown === output) return output;
  const isCut = shown.length > maxShownCharacters;
  // Cut neither inside of a shown form nor inside of a character.
  const kept = isCut
    ? shown
        .slice(0, maxShownCharacters)
        .replace(/\u27E8[^\u27E9]{0,9}$/, '')
        .toWellFormed()
    : shown;
  return [kept, '', ...(isCut ? [cutNote] : []), note].join('\n');
}

const readArguments = (argumentsText: string): string =>
  /\u27E8|\\u27e8/i.test(argumentsText) ? rewriteStrings(argumentsText, readShown) : argumentsText;

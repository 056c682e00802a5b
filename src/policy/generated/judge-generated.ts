import type { Change } from '../change.ts';
import { findMark } from './find-mark.ts';
import { findMarkedRegions } from './find-regions.ts';
import { describeMark, type GeneratedSetting } from './generated-paths.ts';

/** Why a change of what a program writes may not be made: it would be lost. */
export function judgeGenerated(
  { path, before, after }: Change,
  setting: GeneratedSetting | undefined,
): string | undefined {
  const text = before?.text ?? null;
  if (text === null || setting === 'off') return undefined;
  const mark = findMark(path, text);
  if (mark !== undefined) return `${path} is protected: ${describeMark(mark)}. ${generatedAdvice}`;
  let from = 0;
  const changed = after?.text == null ? undefined : withLineFeeds(after.text);
  for (const region of findMarkedRegions(withLineFeeds(text))) {
    const at = changed?.indexOf(region.text, from) ?? -1;
    if (at === -1)
      return `lines ${region.firstLine} to ${region.lastLine} of ${path} are generated, between comments that say "${region.mark}": keep them, comments included. ${generatedAdvice}`;
    from = at + region.text.length;
  }
  return undefined;
}

/** Git or an editor may write other line ends, and the program does not mind. */
const withLineFeeds = (text: string): string => text.replaceAll('\r\n', '\n');

const generatedAdvice =
  'A change here would be lost: change what it is made from if you may write that, or else say in your summary what a person has to change there';

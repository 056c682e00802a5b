import { listTags } from '../../pages/list-tags.ts';
import { proseOf } from './carry-definitions.ts';
import type { CutSection, SourcePage } from './cut-section.ts';

/** Elements of HTML that need no end. */
const mayStayOpen =
  /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|p|li|dt|dd|tr|td|th|thead|tbody|tfoot|option)$/i;

/** A tag that the section opens and does not close, or closes and does not open. */
export function findOpenTag({ text, format }: SourcePage, { start, end }: CutSection): string | undefined {
  if (format === 'rst' || format === 'asciidoc') return undefined;
  const prose = proseOf(text, format);
  const open: string[] = [];
  for (const tag of listTags(prose)) {
    if (tag.start < start || tag.start >= end || mayStayOpen.test(tag.name)) continue;
    if (tag.isClosing) {
      if (open.pop() !== tag.name) return tag.name;
    } else if (prose.slice(tag.end - 2, tag.end) !== '/>') open.push(tag.name);
  }
  return open[0];
}

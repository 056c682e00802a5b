import type { RedirectEntry } from '../site-rules.ts';

/** The whole line of a redirect. `from`: where its source is written, without quotes. */
export function readLineEntry(text: string, { start, end }: { start: number; end: number }): RedirectEntry {
  const lineEnd = text.indexOf('\n', end);
  const last = lineEnd < 0 ? text.length : lineEnd;
  return {
    start: text.lastIndexOf('\n', start) + 1,
    end: text[last - 1] === '\r' ? last - 1 : last,
    isLine: true,
    from: { start, end },
  };
}

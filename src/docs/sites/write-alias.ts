import { cutFrontMatter } from '../formats/front-matter.ts';

/** Adds an old address to a list in the front matter of a page, in YAML: a list of lines, or one in brackets. Undefined for another form. */
export function writeAlias(
  text: string,
  { key, address }: { key: string; address: string },
): { at: number; text: string } | undefined {
  const cut = cutFrontMatter(text);
  if (cut === undefined) return { at: 0, text: `---\n${key}:\n  - ${address}\n---\n\n` };
  if (cut.fence !== '---' || cut.bodyStart === 0) return undefined;
  const { source, start } = cut;
  const found = new RegExp(`^${RegExp.escape(key)}:[ \\t]*`, 'm').exec(source);
  if (found === null) return { at: start + source.length, text: `${key}:\n  - ${address}\n` };
  const from = found.index + found[0].length;
  const value = source.slice(from);
  const bracketed = /^\[[^[\]\n]*(?=\])/.exec(value)?.[0];
  if (bracketed !== undefined)
    return { at: start + from + bracketed.length, text: `${bracketed === '[' ? '' : ', '}${address}` };
  const lines = /^\r?\n(?:([ \t]*- )[^\n]*\n)+/.exec(value);
  return lines === null ? undefined : { at: start + from + lines[0].length, text: `${lines[1]}${address}\n` };
}

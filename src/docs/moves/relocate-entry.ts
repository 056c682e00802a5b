import { elementsOf, membersOf, parseJsonTree, stringOf } from '../formats/json.ts';
import { type FileTree, folderOf, joinPath, nameOf } from '../tree.ts';
import type { TargetEdit } from './apply-edits.ts';
import { withoutPageExtension } from './spelling.ts';

/** Whether an entry of Fumadocs belongs to the list of another folder, now that its page or folder lies there. */
export const isRelocated = ({
  file,
  path,
  written,
  place,
  wanted,
}: {
  file: string;
  path: string;
  written: string;
  place: string;
  wanted: string;
}) =>
  nameOf(file) === 'meta.json' &&
  !written.includes('/') &&
  folderOf(toListed(path, written)) === folderOf(file) &&
  folderOf(toListed(wanted, written)) !== folderOf(place);

/** A folder is listed by its name, and leads to its first page. */
const toListed = (path: string, written: string) =>
  withoutPageExtension(nameOf(path)) === 'index' && written !== 'index' ? folderOf(path) : path;

/** Takes an entry out of its list, and puts it into the list of the new folder where that one names all of its pages. */
export function relocateEntry(
  tree: FileTree,
  { file, line, start, end, written }: { file: string; line: number; start: number; end: number; written: string },
  wanted: string,
): (TargetEdit & { file: string })[] {
  const text = tree.read(file) ?? '';
  const inserted = insertEntry(tree, toListed(wanted, written));
  return [{ file, line, replacement: '', ...findElement(text, start, end) }, ...inserted];
}

/** From the quotes of an element to the next one; the last one with the comma before it. */
function findElement(text: string, start: number, end: number): { start: number; end: number } {
  const [open, close] = [text.lastIndexOf('"', start), text.indexOf('"', end) + 1];
  const behind = /^\s*,\s*/.exec(text.slice(close))?.[0];
  if (behind !== undefined) return { start: open, end: close + behind.length };
  const before = /,\s*$/.exec(text.slice(0, open))?.[0] ?? '';
  return { start: open - before.length, end: close };
}

function insertEntry(tree: FileTree, wanted: string): (TargetEdit & { file: string })[] {
  const file = joinPath(folderOf(wanted), 'meta.json') ?? '';
  const text = tree.read(file);
  if (text === undefined) return [];
  const { root, lineOf } = parseJsonTree(text, { isLenient: true });
  const pages = membersOf(root).get('pages');
  const items = elementsOf(pages);
  const last = items.at(-1);
  if (pages === undefined || items.some((item) => /^(?:z\.\.\.a|\.\.\.)$/.test(stringOf(item) ?? ''))) return [];
  const name = JSON.stringify(withoutPageExtension(nameOf(wanted)));
  const at = last === undefined ? pages.offset + 1 : last.offset + last.length;
  const lead = last === undefined ? '' : (/\n[ \t]*$/.exec(text.slice(0, last.offset))?.[0] ?? ' ');
  const replacement = last === undefined ? name : `,${lead}${name}`;
  return [{ file, line: lineOf(at), start: at, end: at, replacement }];
}

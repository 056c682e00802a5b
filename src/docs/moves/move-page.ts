import type { Documentation } from '../documentation.ts';
import { elementsOf, membersOf, parseJsonTree, stringOf } from '../formats/json.ts';
import { createLanguageLookup, listAddresses, listWanted } from '../questions/find-references.ts';
import {
  createSiteLookup,
  listOfPage,
  listReferences,
  type Reference,
  toLinkReference,
} from '../questions/list-references.ts';
import type { Reading } from '../reading.ts';
import { findSameSite, type SiteEntry } from '../sites/open-sites.ts';
import { type FileTree, folderOf, joinPath, nameOf } from '../tree.ts';
import type { TargetEdit } from './apply-edits.ts';
import {
  describeMove,
  groupEntries,
  isLoop,
  type LeftReference,
  type Move,
  type ReferenceEdit,
  readAfterMove,
  readWritten,
} from './move.ts';
import { movedPath, type PathMove } from './moved-path.ts';
import { removeEntry } from './remove-entry.ts';
import { respell } from './respell.ts';
import { withoutPageExtension } from './spell-link.ts';

const maxTitleCharacters = 160;

/** A question: the edits that keep all references right when a file or folder moves. */
export function movePage({ base, head }: Documentation, move: PathMove): Move {
  const moved = [...head.tree.paths].filter((path) => movedPath(move, path) !== path);
  const unwritten = readAfterMove(head, move);
  let after = unwritten;
  let siteAfter = createSiteLookup(after);
  const languageOf = createLanguageLookup(head);
  const left: LeftReference[] = [];
  let edits: ReferenceEdit[] = [];

  function rewrite(reference: Reference, wanted: string): void {
    const { file, line, start, end, kind } = reference;
    const place = movedPath(move, file);
    const site = siteAfter(place) ?? findSameSite(after.sites, reference.site);
    if (kind === 'navigation' && isRelocated(reference, place, wanted)) {
      edits.push(...relocateEntry(head.tree, reference, wanted).map((edit) => ({ ...edit, kind: 'mention' as const })));
      return;
    }
    const spelled = site && respell(reference, { place, wanted, from: reference.path, before: head, after, site });
    if (spelled?.isSame) return;
    if (isLoop({ head, after }, reference, wanted)) {
      const removal = removeEntry(head.tree.read(file) ?? '', reference);
      if (removal === undefined) left.push({ file, line, why: 'loop' });
      else edits.push({ file, line, kind, ...removal });
      return;
    }
    if (spelled === undefined) left.push({ file, line, why: 'spelling' });
    else if (languageOf(file)?.isGenerated) left.push({ file, line, why: 'generated' });
    else edits.push({ file, line, start, end, replacement: spelled.text, kind });
  }

  const names = [...new Set(moved.flatMap((path) => listWanted(head, path).names))];
  const wanted = { has: (path: string) => movedPath(move, path) !== path, names };
  const references = Map.groupBy(listReferences(head, wanted), ({ path }) => head.tree.paths.has(path));
  const [ofFolders, ofFiles] = [references.get(false) ?? [], references.get(true) ?? []];
  const rewriteAll = (some: readonly Reference[]) => {
    const known = edits.length;
    for (const reference of some) rewrite(reference, movedPath(move, reference.path));
    if (!edits.slice(known).some(({ kind }) => kind === 'navigation')) return;
    after = readWritten(head, after, move, edits);
    siteAfter = createSiteLookup(after);
  };
  // Entries may be relative to a folder that another one names, and make the addresses to which the rest leads.
  rewriteAll(ofFolders);
  rewriteAll(ofFiles.filter(({ kind }) => kind === 'navigation'));
  rewriteAll(ofFiles.filter(({ kind }) => kind !== 'navigation'));
  rewriteAll(moved.flatMap((path) => listOwn(head, path)).filter(({ path }) => !wanted.has(path)));
  const written = after;
  for (const file of findLostEntries(head, written, move, edits)) {
    const isLost = (edit: ReferenceEdit) => edit.file === file && edit.kind === 'navigation';
    left.push(...edits.filter(isLost).map(({ line }) => ({ file, line, why: 'spelling' as const })));
    edits = edits.filter((edit) => !isLost(edit));
  }
  // A page of mdBook has an address when an entry leads to it.
  const isPlaced = moved.some((path) => listAddresses(unwritten, movedPath(move, path)).length > 0);
  const found = { after: isPlaced ? unwritten : written, written, moved, edits, left };
  return { ...describeMove({ base, head }, move, found), titles: listTitles(head, move.from) };
}

/** Navigation files whose rewritten entries do not all lead to the new place. */
function findLostEntries(head: Reading, written: Reading, move: PathMove, edits: readonly ReferenceEdit[]): string[] {
  const count = ({ sites }: Reading, file: string, path: string) =>
    sites.flatMap(({ navigation }) => navigation).filter((entry) => entry.file === file && leadsBelow(entry, path))
      .length;
  return [...groupEntries(edits).keys()].filter(
    (file) => count(written, movedPath(move, file), move.to) < count(head, file, move.from),
  );
}

const leadsBelow = ({ page, means }: SiteEntry, path: string) =>
  (page === undefined ? means : [page]).some((each) => each === path || each.startsWith(`${path}/`));

function listTitles(head: Reading, path: string): string[] {
  const page = createSiteLookup(head)(path)?.pages.get(path);
  const { title } = page?.frontMatter.data ?? {};
  const [heading] = page?.headings ?? [];
  const written = /^title[ \t]*[:=].*$/m.exec(head.tree.read(path) ?? '')?.[0].trimEnd();
  return [
    ...(typeof title === 'string' ? [written ?? `title: ${title}`] : []),
    ...(heading?.depth === 1 ? [`# ${heading.text}`] : []),
  ].map((line) => line.slice(0, maxTitleCharacters).toWellFormed());
}

/** The references in the moved file. */
export function listOwn(head: Reading, from: string): Reference[] {
  const site = createSiteLookup(head)(from);
  const page = site?.pages.get(from);
  if (site === undefined || page === undefined) return [];
  const found = listOfPage({ tree: head.tree, site, file: from, page }, () => true);
  const own = found.filter(({ written }) => !written.startsWith('#'));
  const isLink = (start: number) => own.some((reference) => reference.start === start);
  // Of a toctree.
  const entries = site.navigation.flatMap((entry) =>
    entry.file !== from || entry.page === undefined || entry.isPattern || isLink(entry.start)
      ? []
      : [toLinkReference(entry, entry.page, site)],
  );
  return [...own, ...entries];
}

/** Whether an entry of Fumadocs belongs to the list of another folder, now that its page or folder lies there. */
const isRelocated = ({ file, path, written }: Reference, place: string, wanted: string) =>
  nameOf(file) === 'meta.json' &&
  !written.includes('/') &&
  folderOf(toListed(path, written)) === folderOf(file) &&
  folderOf(toListed(wanted, written)) !== folderOf(place);

/** A folder is listed by its name, and leads to its first page. */
const toListed = (path: string, written: string) =>
  withoutPageExtension(nameOf(path)) === 'index' && written !== 'index' ? folderOf(path) : path;

/** Takes an entry out of its list, and puts it into the list of the new folder where that one names all of its pages. */
function relocateEntry(
  tree: FileTree,
  { file, line, start, end, written }: Reference,
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

import { decodeAddress } from '../decode-address.ts';
import type { Documentation } from '../documentation.ts';
import { createLanguageLookup, listWanted } from '../questions/find-references.ts';
import { createSiteLookup, listReferences, type Reference } from '../questions/list-references.ts';
import type { Reading } from '../reading.ts';
import { createAnchorTest } from '../sites/anchors.ts';
import { findSameSite } from '../sites/open-sites.ts';
import { applyEdits, placeEdits } from './apply-edits.ts';
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
import { isEmptied, removeEntry } from './remove-entry.ts';
import { respell } from './respell.ts';

/** A question: the edits with which nothing leads to a page that is deleted, but to the one that readers go to instead. */
export function deletePage({ base, head }: Documentation, { from, to }: { from: string; to: string }): Move {
  const move = { from, to, isDeleted: true };
  const after = readAfterMove(head, move);
  const siteAfter = createSiteLookup(after);
  const languageOf = createLanguageLookup(head);
  const left: LeftReference[] = [];
  let edits: ReferenceEdit[] = [];
  const keepAnchor = createAnchorKeeper(after, to);

  /** An edit, or why the reference stays; undefined: it leads there already. */
  function rewrite(
    reference: Reference,
  ): Pick<ReferenceEdit, 'start' | 'end' | 'replacement'> | LeftReference['why'] | undefined {
    const { file, start, end, kind } = reference;
    if (languageOf(file)?.isGenerated) return 'generated';
    if (kind === 'import' || kind === 'include') return 'deleted';
    const text = head.tree.read(file) ?? '';
    const site = siteAfter(file) ?? findSameSite(after.sites, reference.site);
    const spelled = site && respell(reference, { place: file, wanted: to, from, before: head, after, site });
    if (kind === 'navigation') return spelled?.isSame ? undefined : (removeEntry(text, reference) ?? 'deleted');
    if (spelled === undefined) return 'spelling';
    if (isLoop({ head, after }, reference, to)) return removeEntry(text, reference) ?? 'loop';
    const replacement = keepAnchor(spelled.text);
    return replacement === text.slice(start, end) ? undefined : { start, end, replacement };
  }

  for (const reference of listReferences(head, listWanted(head, from))) {
    const { file, line, kind } = reference;
    const result = file === from ? undefined : rewrite(reference);
    if (typeof result === 'string') left.push({ file, line, why: result });
    else if (result !== undefined) edits.push({ file, line, kind, ...result });
  }
  // What stands in an entry goes with it.
  edits = edits.filter((edit) => !edits.some((other) => isInside(edit, other)));
  const written = readWritten(head, after, move, edits);
  for (const [file, inside] of groupEntries(edits)) {
    const isRight = countEntries(written, file) === countEntries(head, file) - inside.length;
    if (isRight && !emptiesList(head.tree.read(file) ?? '', inside)) continue;
    left.push(...inside.map(({ line }) => ({ file, line, why: 'deleted' as const })));
    edits = edits.filter((edit) => !inside.includes(edit));
  }
  return { ...describeMove({ base, head }, move, { after, written: after, moved: [from], edits, left }), titles: [] };
}

const isInside = (edit: ReferenceEdit, other: ReferenceEdit) =>
  edit !== other &&
  edit.file === other.file &&
  other.replacement === '' &&
  other.start <= edit.start &&
  edit.end <= other.end;

function emptiesList(text: string, removals: readonly ReferenceEdit[]): boolean {
  const without = applyEdits(text, removals);
  return placeEdits(removals).some(({ start }) => isEmptied(without, start));
}

/** The page that stays need not have the anchors of the deleted one. */
function createAnchorKeeper(after: Reading, path: string): (target: string) => string {
  const site = createSiteLookup(after)(path);
  const anchors = site && createAnchorTest(after.tree, site);
  return (target) => {
    const [before = target, anchor] = target.split('#', 2);
    return anchor === undefined || anchors?.has(path, decodeAddress(anchor)) ? target : before;
  };
}

const countEntries = ({ sites }: Reading, file: string) =>
  sites.flatMap(({ navigation }) => navigation).filter((entry) => entry.file === file).length;

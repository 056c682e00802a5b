import type { FoundReferences, References } from '../../docs/questions/find-references.ts';
import type { ReadableFiles } from '../../workspace/workspace.ts';
import { formatCount, plural } from './limits.ts';
import { showLinesAt } from './show-places.ts';

type Found = Extract<References, { kind: 'found' }>;
type Place = FoundReferences['places'][number];

const maxFiles = 60;
const maxPlaces = 8;
const maxForms = 6;
/** Up to so many places are shown with their lines. */
const fewPlaces = 20;
const maxFormCharacters = 80;

/** By language and file; without files of secrets. */
export async function showReferences(workspace: ReadableFiles, found: Found): Promise<string[]> {
  const texts = await readTexts(
    workspace,
    found.files.map(({ file }) => file),
  );
  // Files of secrets have no text here.
  const files = found.files.filter(({ file }) => texts.has(file));
  const isFew = files.flatMap(({ places }) => places).length <= fewPlaces;
  return listRows({ ...found, files }, isFew ? texts : undefined);
}

/** `texts`: the files whose lines are shown. */
function listRows(
  { path, isGone, addresses, anchor, lostAnchor, files }: Found,
  texts: ReadonlyMap<string, string> = new Map(),
): string[] {
  const places = files.flatMap((file) => file.places);
  const [address] = addresses;
  const what = `${path}${isGone ? ' (deleted or moved)' : ''}${address === undefined ? '' : ` is ${address}`}`;
  const where = anchor === '' ? '' : ` with #${anchor}`;
  const hint = lostAnchor?.nearest === undefined ? '' : `, did you mean #${lostAnchor.nearest}?`;
  const lost = lostAnchor === undefined ? '' : `; it has no heading or id for #${anchor}${hint}`;
  const languages = [...Map.groupBy(files, ({ language }) => language)];
  const rest = files.length - maxFiles;
  let shown = maxFiles;
  const rows = languages.flatMap(([language, inside]) => {
    const listed = inside.slice(0, Math.max(0, shown));
    shown -= listed.length;
    const lines = listed.flatMap((found) => showFile(found, texts.get(found.file)));
    const name = language === '' ? 'other' : language;
    return languages.length > 1 ? [`${name}: ${plural(inside.length, 'file')}`, ...lines] : lines;
  });
  return [
    `${what}${lost}; ${countPlaces(files)} to it${where}`,
    ...(places.length > 0 && texts.size === 0 ? [`Written as: ${countForms(places)}`] : []),
    ...rows,
    ...(rest > 0 ? [`... and ${plural(rest, 'more file')}`] : []),
  ];
}

function countPlaces(files: readonly FoundReferences[]): string {
  const { length } = files.flatMap(({ places }) => places);
  if (length === 0) return 'nothing leads';
  return `${plural(length, 'place')} in ${plural(files.length, 'file')} ${length === 1 ? 'leads' : 'lead'}`;
}

function showFile({ file, places }: FoundReferences, text: string | undefined): string[] {
  const name = ({ line, kind }: Place) => (kind === 'link' || kind === 'image' ? String(line) : `${line} (${kind})`);
  if (text !== undefined) {
    const byStart = new Map(places.map((place) => [place.start, place]));
    return showLinesAt(text, [...byStart.keys()]).flatMap(({ position, shown }) => {
      const place = byStart.get(position);
      return place === undefined ? [] : [`${file}:${name(place)}: ${shown}`];
    });
  }
  const rest = places.length - maxPlaces;
  const listed = places.slice(0, maxPlaces).map(name).join(', ');
  return [`${file}:${listed}${rest > 0 ? ` and ${formatCount(rest)} more` : ''}`];
}

function countForms(places: FoundReferences['places']): string {
  const forms = [...Map.groupBy(places, ({ written }) => written)].toSorted(([, a], [, b]) => b.length - a.length);
  const shown = forms.slice(0, maxForms).map(([form, { length }]) => `${form.slice(0, maxFormCharacters)} (${length})`);
  return [...shown, ...(forms.length > maxForms ? [`${forms.length - maxForms} more`] : [])].join(', ');
}

/** The texts of these files by path, without files that are not text, or that the model may not read. */
export async function readTexts(workspace: ReadableFiles, paths: Iterable<string>): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const path of new Set(paths)) {
    const file = await workspace.readFile(path);
    if (file.kind === 'text') texts.set(path, file.text);
  }
  return texts;
}

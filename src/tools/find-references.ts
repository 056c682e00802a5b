import { z } from 'zod';
import { createTool, type Tool, toolError, toolOk } from '../agent/tool.ts';
import type { FoundReferences, References } from '../checks/questions/find-references.ts';
import { describeUnread } from './answers/describe-unread.ts';
import { joinRows } from './answers/join-rows.ts';
import { formatCount, plural } from './answers/limits.ts';
import { isShown } from './paths/is-shown.ts';
import type { ToolParts } from './tool-parts.ts';

const maxFiles = 60;
const maxPlaces = 8;
const maxForms = 6;
const maxFormCharacters = 80;

export const createFindReferencesTool = ({ workspace, limits, docs }: ToolParts): Tool =>
  createTool({
    name: 'find_references',
    description:
      'Finds what leads to a page, file or folder, however it is written: links, navigation, redirects, includes. Also for what you have deleted.',
    arguments: z.object({
      target: z.string().describe('A path, an address such as /guides/install, or either with #anchor.'),
    }),
    async execute({ target }, signal) {
      const found = await docs.ask('references', { target }, workspace.writes(), { signal });
      if (found === undefined) return toolError(describeUnread('search'));
      if (found.kind === 'unknown') {
        const hint = found.nearest === undefined ? '' : `; did you mean ${found.nearest}?`;
        return toolError(`there is no page, file, folder or address ${target.slice(0, 200)}${hint}`);
      }
      const files: FoundReferences[] = [];
      for (const each of found.files) if (await isShown(workspace, each.file)) files.push(each);
      return toolOk(
        joinRows(showReferences({ ...found, files }), limits.maxCharacters, (rest) => `${rest} more files`),
      );
    },
  });

export function showReferences({
  path,
  isGone,
  addresses,
  anchor,
  files,
}: Extract<References, { kind: 'found' }>): string[] {
  const places = files.flatMap((file) => file.places);
  const [address] = addresses;
  const what = `${path}${isGone ? ' (deleted or moved)' : ''}${address === undefined ? '' : ` is ${address}`}`;
  const where = anchor === '' ? '' : ` with #${anchor}`;
  const languages = [...Map.groupBy(files, ({ language }) => language)];
  const rest = files.length - maxFiles;
  let shown = maxFiles;
  const rows = languages.flatMap(([language, inside]) => {
    const listed = inside.slice(0, Math.max(0, shown)).map(showFile);
    shown -= listed.length;
    const name = language === '' ? 'other' : language;
    return languages.length > 1 ? [`${name}: ${plural(inside.length, 'file')}`, ...listed] : listed;
  });
  return [
    `${what}; ${places.length === 0 ? 'nothing leads' : `${plural(places.length, 'place')} in ${plural(files.length, 'file')} lead`} to it${where}`,
    ...(places.length > 0 ? [`Written as: ${countForms(places)}`] : []),
    ...rows,
    ...(rest > 0 ? [`... and ${plural(rest, 'more file')}`] : []),
  ];
}

function showFile({ file, places }: FoundReferences): string {
  const lines = places
    .slice(0, maxPlaces)
    .map(({ line, kind }) => (kind === 'link' || kind === 'image' ? String(line) : `${line} (${kind})`));
  const rest = places.length - maxPlaces;
  return `${file}:${lines.join(', ')}${rest > 0 ? ` and ${formatCount(rest)} more` : ''}`;
}

function countForms(places: FoundReferences['places']): string {
  const forms = [...Map.groupBy(places, ({ written }) => written)].toSorted(([, a], [, b]) => b.length - a.length);
  const shown = forms.slice(0, maxForms).map(([form, { length }]) => `${form.slice(0, maxFormCharacters)} (${length})`);
  return [...shown, ...(forms.length > maxForms ? [`${forms.length - maxForms} more`] : [])].join(', ');
}

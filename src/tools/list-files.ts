import { z } from 'zod';
import { createTool, type Tool, toolError, toolOk } from '../agent/tool.ts';
import type { ReadableFiles } from '../workspace/workspace.ts';
import { findPlace } from './other-repositories.ts';
import { joinRows } from './output/join-rows.ts';
import { formatCount, plural, type ToolLimits } from './output/limits.ts';
import { type FoundPaths, pathsTask } from './paths/find-paths.ts';
import type { PathRow } from './paths/path-row.ts';
import { splitGlob } from './paths/split-glob.ts';
import { showOutline } from './show-outline.ts';
import type { ToolParts } from './tool-parts.ts';

/** More files than these are grouped by folder, so that a long list does not repeat its name. */
const fewFiles = 20;

export const createListFilesTool = (parts: ToolParts): Tool => {
  const { workspace, limits, runTask, others } = parts;
  return createTool({
    name: 'list_files',
    description: "Lists files. titles: of pages, or a page's headings.",
    arguments: z.object({
      path: z.string().optional(),
      glob: z.string().optional(),
      exclude: z.string().optional(),
      titles: z.boolean().optional(),
    }),
    unlisted: ['glob', 'exclude'],
    async execute({ titles = false, ...written }, signal) {
      if (titles) return showOutline(written.path ?? '', parts, signal);
      const place = await findPlace({ workspace, others }, written.path ?? '', signal);
      if (place.kind === 'refused') return toolError(place.reason);
      const files = place.files.listFiles();
      const { path = '', glob, exclude } = splitGlob({ ...written, path: written.path && place.path }, files);
      const query = { files, path, glob, exclude, maxRows: limits.maxFiles };
      const found = await runTask(pathsTask, query, signal);
      switch (found.kind) {
        case 'refused':
          return toolError(found.reason);
        case 'none':
          return toolOk(found.text);
        case 'rows':
          return toolOk([showRows(found, limits, place.files), ...(isRoot(path) ? listOthers(others) : [])].join('\n'));
      }
    },
  });
};

const isRoot = (path: string) => /^(\.?\/*)$/.test(path);

const listOthers = ({ list }: ToolParts['others']) =>
  list().map(({ prefix, count }) => `${prefix}/ (another repository, only to read; ${plural(count, 'file')})`);

const advice = 'Give a longer path, or a glob, to see single files.';

function showRows(
  { rows, rest, total, isFolded }: Extract<FoundPaths, { kind: 'rows' }>,
  limits: ToolLimits,
  { mark }: ReadableFiles,
): string {
  const notesOf = ({ path, note }: PathRow) =>
    [note, path.endsWith('/') ? undefined : mark(path)].filter((words) => words !== undefined);
  const show = (row: PathRow, name: string) => {
    const notes = notesOf(row);
    return notes.length === 0 ? name : `${name} (${notes.join('; ')})`;
  };
  const shown = rows.length > fewFiles ? groupRows(rows, show) : rows.map((row) => show(row, row.path));
  const lines = [
    ...(isFolded ? [`${formatCount(total)} files, by folder. ${advice}`] : []),
    ...shown,
    ...(rest > 0 ? [`... and ${formatCount(rest)} more. ${advice}`] : []),
  ];
  return joinRows(lines, limits.maxCharacters, (count) => `${count} more. ${advice}`);
}

/** Files below the name of their folder. */
function groupRows(rows: readonly PathRow[], show: (row: PathRow, name: string) => string): string[] {
  // A folder is listed in its parent.
  const folderOf = ({ path }: PathRow) => path.slice(0, path.lastIndexOf('/', path.length - 2) + 1);
  return [...Map.groupBy(rows, folderOf)].flatMap(([folder, inside]) => {
    const files = inside.filter(({ path }) => !path.endsWith('/'));
    const folders = inside.filter(({ path }) => path.endsWith('/')).map((row) => show(row, row.path));
    if (folder === '' || files.length < 2) return [...files.map((row) => show(row, row.path)), ...folders];
    return [folder, ...files.map((row) => `  ${show(row, row.path.slice(folder.length))}`), ...folders];
  });
}

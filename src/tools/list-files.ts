import { z } from 'zod';
import { createTool, type Tool, type ToolResult, toolError, toolOk } from '../agent/tool.ts';
import type { Outline } from '../docs/questions/outline.ts';
import type { ReadableFiles } from '../workspace/workspace.ts';
import { describeUnread } from './output/describe-missing.ts';
import { firstRows, formatCount, joinRows, plural, type ToolLimits } from './output/limits.ts';
import { type FoundPaths, pathsTask } from './paths/find-paths.ts';
import type { PathRow } from './paths/fold-repeats.ts';
import { splitGlob } from './paths/plain-path.ts';
import { findPlace, type ToolParts } from './tool-parts.ts';

/** More files than these are grouped by folder, so that a long list does not repeat its name. */
const fewFiles = 20;

export const createListFilesTool = (parts: ToolParts): Tool => {
  const { limits, runTask, others } = parts;
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
      const place = await findPlace(parts, written.path ?? '', signal);
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
  return joinRows(lines, limits.maxCharacters, `more. ${advice}`);
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

const outlineAdvice = 'give a folder in it as path';
const maxHeadings = 150;
const maxPages = 150;
const maxHeadingCharacters = 120;

/** The titles of a folder's pages, or the front matter and headings of a page. */
async function showOutline(asked: string, parts: ToolParts, signal: AbortSignal): Promise<ToolResult> {
  const place = await findPlace(parts, asked, signal);
  if (place.kind === 'refused') return toolError(place.reason);
  const { path, inside, prefix, docs, writes } = place;
  const found = await docs.ask('outline', { path: inside }, writes(), { signal });
  if (found === undefined) return toolError(describeUnread('read_file'));
  if (found.kind === 'none')
    return toolError(
      `${path.slice(0, 200)} is neither a page of a documentation site nor a folder with pages; leave out titles, or use read_file`,
    );
  const rows =
    found.kind === 'page' ? showPage(path, found) : showPages(path, found, prefix === '' ? '' : `${prefix}/`);
  return toolOk(joinRows(rows, parts.limits.maxCharacters, `more; ${outlineAdvice}`));
}

const showPage = (path: string, { address, data, headings, lines }: Extract<Outline, { kind: 'page' }>): string[] => [
  `${path}${address === undefined ? '' : ` is ${address}`}; ${plural(lines, 'line')}`,
  ...data.map(([key, value]) => `${key}: ${value}`),
  ...firstRows(
    headings.map(({ line, depth, text, id }) => {
      const heading = `${'#'.repeat(depth)} ${text}`.slice(0, maxHeadingCharacters);
      return `${line}: ${heading}${id === undefined ? '' : ` {#${id}}`}`;
    }),
    maxHeadings,
    (rest) => plural(rest, 'more heading'),
  ),
];

/** `start`: what the paths of the outline lack. */
function showPages(path: string, { pages }: Extract<Outline, { kind: 'folder' }>, start: string): string[] {
  const folder = path.replace(/^\.?\/*|(?<!\/)\/+$/g, '');
  const rows = pages.map(({ path: page, title }) => {
    const name = folder === '' ? page : (start + page).slice(folder.length + 1);
    return title === '' ? name : `${name}: ${title}`;
  });
  return [
    `${plural(pages.length, 'page')} below ${folder === '' ? 'the root' : folder}:`,
    ...firstRows(rows, maxPages, (rest) => `${plural(rest, 'more page')}; ${outlineAdvice}`),
  ];
}

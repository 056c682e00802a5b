import { z } from 'zod';
import { createTool, type Tool, type ToolResult, toolError, toolOk } from '../agent/tool.ts';
import type { Outline } from '../docs/questions/outline.ts';
import type { ReadableFiles } from '../workspace/workspace.ts';
import { describeUnread } from './output/describe-missing.ts';
import { formatCount, joinRows, plural, type ToolLimits } from './output/limits.ts';
import { type FoundPaths, pathsTask } from './paths/find-paths.ts';
import type { PathRow } from './paths/fold-repeats.ts';
import { splitGlob } from './paths/plain-path.ts';
import { type ToolParts, findPlace } from './tool-parts.ts';

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

const outlineAdvice = 'give a folder in it as path';
const maxHeadings = 150;
const maxPages = 150;
const maxHeadingCharacters = 120;

/** The titles of a folder's pages, or the front matter and headings of a page. */
async function showOutline(
  asked: string,
  { workspace, limits, docs, others }: ToolParts,
  signal: AbortSignal,
): Promise<ToolResult> {
  const place = await findPlace({ workspace, others }, asked, signal);
  if (place.kind === 'refused') return toolError(place.reason);
  const { path } = place;
  const found =
    place.kind === 'here'
      ? await docs.ask('outline', { path }, workspace.writes(), { signal })
      : await place.repository.docs.ask('outline', { path: place.inside }, new Map(), { signal });
  if (found === undefined) return toolError(describeUnread('read_file'));
  if (found.kind === 'none')
    return toolError(
      `${path.slice(0, 200)} is neither a page of a documentation site nor a folder with pages; leave out titles, or use read_file`,
    );
  const start = place.kind === 'here' ? '' : `${place.repository.prefix}/`;
  return toolOk(joinRows(show(path, found, start), limits.maxCharacters, (rest) => `${rest} more; ${outlineAdvice}`));
}

/** `start`: what the paths of the outline lack. */
function show(path: string, found: Exclude<Outline, { kind: 'none' }>, start: string): string[] {
  if (found.kind === 'page') {
    const { address, data, headings, lines } = found;
    const rest = headings.length - maxHeadings;
    return [
      `${path}${address === undefined ? '' : ` is ${address}`}; ${plural(lines, 'line')}`,
      ...data.map(([key, value]) => `${key}: ${value}`),
      ...headings.slice(0, maxHeadings).map(({ line, depth, text, id }) => {
        const heading = `${'#'.repeat(depth)} ${text}`.slice(0, maxHeadingCharacters);
        return `${line}: ${heading}${id === undefined ? '' : ` {#${id}}`}`;
      }),
      ...(rest > 0 ? [`... and ${plural(rest, 'more heading')}`] : []),
    ];
  }
  const prefix = path.replace(/^\.?\/*|(?<!\/)\/+$/g, '');
  const rest = found.pages.length - maxPages;
  return [
    `${plural(found.pages.length, 'page')} below ${prefix === '' ? 'the root' : prefix}:`,
    ...found.pages.slice(0, maxPages).map(({ path: page, title }) => {
      const name = prefix === '' ? page : (start + page).slice(prefix.length + 1);
      return title === '' ? name : `${name}: ${title}`;
    }),
    ...(rest > 0 ? [`... and ${plural(rest, 'more page')}; ${outlineAdvice}`] : []),
  ];
}

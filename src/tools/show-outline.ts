import { type ToolResult, toolError, toolOk } from '../agent/tool.ts';
import type { Outline } from '../docs/questions/outline.ts';
import { findPlace } from './other-repositories.ts';
import { describeUnread } from './output/describe-unread.ts';
import { joinRows } from './output/join-rows.ts';
import { plural } from './output/limits.ts';
import type { ToolParts } from './tool-parts.ts';

const advice = 'give a folder in it as path';
const maxHeadings = 150;
const maxPages = 150;
const maxHeadingCharacters = 120;

/** The titles of a folder's pages, or the front matter and headings of a page. */
export async function showOutline(
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
  return toolOk(joinRows(show(path, found, start), limits.maxCharacters, (rest) => `${rest} more; ${advice}`));
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
    ...(rest > 0 ? [`... and ${plural(rest, 'more page')}; ${advice}`] : []),
  ];
}

import { type ToolResult, toolError, toolOk } from '../agent/tool.ts';
import type { FileDiff } from '../file-diff.ts';
import { joinRows, plural } from './output/limits.ts';
import { partTask } from './output/show-part.ts';
import type { HandedChange, ToolParts } from './tool-parts.ts';

/** Shows a pull request that came with a message, by `acme/api#12`, or its patch of one path, by `acme/api#12:src/a.ts`. Undefined: `asked` names none. */
export async function readChange(
  { changes, limits, runTask }: ToolParts,
  { path: asked, offset }: { path: string; offset?: number | undefined },
  signal: AbortSignal,
): Promise<ToolResult | undefined> {
  const start = asked.search(/(?:#|\/pull\/)\d/);
  const handed = start === -1 ? [] : await changes();
  if (handed.length === 0) return undefined;
  const [named, path] = splitAt(asked, asked.indexOf(':', start));
  const change = handed.find((each) => isNamed(each, named));
  if (change === undefined) return toolError(describeMissing(handed));
  if (path === undefined) return toolOk(showChange(change, limits.maxCharacters));
  const file = change.files.find((each) => each.path === path || each.previousPath === path);
  if (file === undefined) return toolError(`${change.reference} does not change ${path.slice(0, 200)}`);
  if (file.patch === null) return toolOk(`${describeFile(file)}: its patch is binary, or too large`);
  const part = { path: `${path} (patch)`, offset, mark: undefined, text: file.patch, limits };
  return runTask(partTask, part, signal);
}

const splitAt = (text: string, at: number): [string, string?] =>
  at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];

/** By its reference, its address, or its number if only one has it. */
function isNamed({ reference }: HandedChange, wanted: string): boolean {
  const address = wanted.trim().toLowerCase();
  const known = reference.toLowerCase();
  const [name = '', number = ''] = known.split('#');
  return address === known || address.endsWith(`/${name}/pull/${number}`);
}

const describeMissing = (handed: readonly HandedChange[]) =>
  `that pull request was not handed over; these were: ${handed.map(({ reference }) => reference).join(', ')}`;

function showChange(
  { reference, title, body, author, state, files, more }: HandedChange,
  maxCharacters: number,
): string {
  const rows = [
    `${reference} by ${author}, ${state}: ${title}`,
    ...body.split('\n'),
    `${plural(files.length + more, 'file')}; the patch of one by ${reference}:PATH:`,
    ...files.map(describeFile),
    ...(more > 0 ? [`... and ${plural(more, 'more file')}`] : []),
  ];
  return joinRows(rows, maxCharacters);
}

export const describeFile = ({ path, previousPath, status, additions, deletions }: FileDiff): string =>
  `${path} (${status}${previousPath === null ? '' : ` from ${previousPath}`}, +${additions} -${deletions})`;

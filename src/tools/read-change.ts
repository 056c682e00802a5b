import { z } from 'zod';
import { createTool, type Tool, toolError, toolOk } from '../agent/tool.ts';
import type { HandedChange, HandedFile } from './handed-change.ts';
import { joinRows } from './output/join-rows.ts';
import { plural } from './output/limits.ts';
import { partTask } from './output/show-part.ts';
import type { ToolParts } from './tool-parts.ts';

export function createReadChangeTool({ changes, limits, runTask }: ToolParts): Tool {
  return createTool({
    name: 'read_change',
    description: 'Reads a pull request that came with a message, or its patch of one path.',
    arguments: z.object({
      pull_request: z.string(),
      path: z.string().optional(),
      offset: z.number().int().min(1).optional(),
    }),
    async execute({ pull_request: wanted, path, offset }, signal) {
      const handed = await changes();
      const change = handed.find((each) => isNamed(each, wanted));
      if (change === undefined) return toolError(describeMissing(handed));
      if (path === undefined) return toolOk(showChange(change, limits.maxCharacters));
      const file = change.files.find((each) => each.path === path || each.previousPath === path);
      if (file === undefined) return toolError(`${change.reference} does not change ${path.slice(0, 200)}`);
      if (file.patch === null) return toolOk(`${describeFile(file)}: its patch is binary, or too large`);
      const part = { path: `${path} (patch)`, offset, mark: undefined, text: file.patch, limits };
      const { kind, output } = await runTask(partTask, part, signal);
      return kind === 'shown' ? toolOk(output) : toolError(output);
    },
  });
}

/** By its reference, its address, or its number if only one has it. */
function isNamed({ reference }: HandedChange, wanted: string): boolean {
  const address = wanted.trim().toLowerCase();
  const known = reference.toLowerCase();
  const [name = '', number = ''] = known.split('#');
  return address === known || address.endsWith(`/${name}/pull/${number}`);
}

const describeMissing = (handed: readonly HandedChange[]) =>
  handed.length === 0
    ? 'no pull request was handed over; read the files instead'
    : `that pull request was not handed over; these were: ${handed.map(({ reference }) => reference).join(', ')}`;

function showChange(
  { reference, title, body, author, state, files, more }: HandedChange,
  maxCharacters: number,
): string {
  const rows = [
    `${reference} by ${author}, ${state}: ${title}`,
    ...body.split('\n'),
    `${plural(files.length + more, 'file')}; the patch of one by its path:`,
    ...files.map(describeFile),
    ...(more > 0 ? [`... and ${plural(more, 'more file')}`] : []),
  ];
  return joinRows(rows, maxCharacters, (rest) => `${rest} more lines`);
}

export const describeFile = ({ path, previousPath, status, additions, deletions }: HandedFile): string =>
  `${path} (${status}${previousPath === null ? '' : ` from ${previousPath}`}, +${additions} -${deletions})`;

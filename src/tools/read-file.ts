import { z } from 'zod';
import { createTool, type Tool, type ToolResult, toolError, toolOk } from '../agent/tool.ts';
import type { ReadResult } from '../workspace/workspace-files.ts';
import { missingTask } from './describe-missing.ts';
import { cutLine, formatCount, type ToolLimits } from './limits.ts';
import type { ToolParts } from './tool-parts.ts';

/** Shows lines without numbers, so that the model can copy them into edit_file. */
export const createReadFileTool = ({ workspace, limits, runTask }: ToolParts): Tool =>
  createTool({
    name: 'read_file',
    description: `Reads a text file, at most ${limits.maxLines} lines per call; use offset to continue. The first line of the result says which lines follow. The lines are shown exactly as in the file, so you can copy them into old_text of edit_file.`,
    arguments: z.object({
      path: z.string().describe('Path from the repository root, for example docs/index.md.'),
      offset: z.number().int().min(1).optional().describe('First line to read, counted from 1.'),
      limit: z.number().int().min(1).optional().describe('Number of lines to read.'),
    }),
    async execute({ path, offset = 1, limit = limits.maxLines }, signal) {
      const file = await workspace.readFile(path);
      return file.kind === 'text'
        ? showLines({
            path,
            mark: workspace.mark(path),
            text: file.text,
            offset,
            limit: Math.min(limit, limits.maxLines),
            limits,
          })
        : describeUnreadable(path, file, { workspace, runTask }, signal);
    },
  });

export async function describeUnreadable(
  path: string,
  file: Exclude<ReadResult, { kind: 'text' }>,
  { workspace, runTask }: Pick<ToolParts, 'workspace' | 'runTask'>,
  signal: AbortSignal,
): Promise<ToolResult> {
  switch (file.kind) {
    case 'missing':
      return toolError(await runTask(missingTask, { path, files: workspace.listFiles() }, signal));
    case 'refused':
      return toolError(file.reason);
    case 'binary':
      return toolError(
        `${path} is not text (${formatCount(file.bytes)} bytes); you can move or delete it, but not read it`,
      );
    case 'too_large':
      return toolError(
        `${path} is too large to read (${formatCount(file.bytes)} bytes); use search to find lines in it`,
      );
  }
}

function showLines({
  path,
  mark,
  text,
  offset,
  limit,
  limits,
}: {
  path: string;
  /** What may not change in the file. */
  mark: string | undefined;
  text: string;
  offset: number;
  limit: number;
  limits: ToolLimits;
}): ToolResult {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (lines.at(-1) === '') {
    lines.pop();
  }
  const total = lines.length;
  if (total === 0) {
    return toolOk(`${path} is empty`);
  }
  if (offset > total) {
    return toolError(`${path} has only ${formatCount(total)} lines; offset ${formatCount(offset)} is past its end`);
  }
  const shown: string[] = [];
  let characters = 0;
  for (const line of lines.slice(offset - 1, offset - 1 + limit)) {
    const cut = cutLine(line, limits.maxLineCharacters);
    characters += cut.length + 1;
    if (shown.length > 0 && characters > limits.maxCharacters) {
      break;
    }
    shown.push(cut);
  }
  const last = offset + shown.length - 1;
  const more = last < total ? `; call again with offset ${last + 1} to continue` : '';
  const range = `${path}${mark === undefined ? '' : ` (${mark})`}: lines ${formatCount(offset)}-${formatCount(last)} of ${formatCount(total)}${more}`;
  return toolOk(`${range}\n\n${shown.join('\n')}`);
}

import { z } from 'zod';
import { createTool, type Tool, type ToolResult, toolError } from '../agent/tool.ts';
import { expandBraces } from '../glob.ts';
import type { Access } from '../policy/policy.ts';
import type { RunTask } from '../threads/threads.ts';
import type { ReadableFiles } from '../workspace/workspace.ts';
import type { ReadResult } from '../workspace/workspace-files.ts';
import { missingTask } from './output/describe-missing.ts';
import { formatCount } from './output/limits.ts';
import { partTask } from './output/show-part.ts';
import { readChange } from './read-change.ts';
import { findPlace, type ToolParts } from './tool-parts.ts';

const maxPaths = 8;

interface Part {
  offset?: number | undefined;
  limit?: number | undefined;
  heading?: string | undefined;
  column?: number | undefined;
}

export function createReadFileTool(parts: ToolParts): Tool {
  const { workspace, limits, runTask } = parts;
  async function read(asked: string, part: Part, signal: AbortSignal): Promise<ToolResult> {
    const place = await findPlace(parts, asked, signal);
    if (place.kind === 'refused') return toolError(place.reason);
    const { files, path } = place;
    const file = await files.readFile(path);
    if (file.kind !== 'text') return describeUnreadable(path, file, { workspace: files, runTask }, signal);
    const mark = describeMark(files.describeAccess(path));
    return runTask(partTask, { ...part, path, mark, text: file.text, limits }, signal);
  }

  /** All of them have the room of one page. An error of one is an error of the call. */
  async function readAll(paths: readonly string[], part: Part, signal: AbortSignal): Promise<ToolResult> {
    const shown: string[] = [];
    const left: string[] = [];
    let isError = false;
    for (const path of paths) {
      const room = limits.maxPageCharacters - shown.reduce((sum, { length }) => sum + length, 0);
      const result = shown.length < maxPaths && room > 0 ? await read(path, part, signal) : undefined;
      if (result === undefined || (shown.length > 0 && result.output.length > room)) left.push(path);
      else shown.push(result.output);
      isError ||= result?.isError === true;
    }
    const rest = left.length === 0 ? [] : [`no room for: ${left.join(', ')}; read them by another call`];
    return { output: [...rest, ...shown].join('\n\n'), isError };
  }

  return createTool({
    name: 'read_file',
    description: 'Reads files: guides/{use,limits}.md. heading: of a section, or #id.',
    arguments: z.object({
      path: z.preprocess((path) => (Array.isArray(path) ? path.join('\n') : path), z.string()),
      offset: z.number().int().min(1).optional(),
      limit: z.number().int().min(1).optional(),
      heading: z.string().optional(),
      column: z.number().int().min(1).optional(),
    }),
    unlisted: ['column'],
    readOther: ({ path, paths, ...rest }) => ({ ...rest, path: path ?? paths }),
    async execute({ path, ...part }, signal) {
      const isThere = workspace.listFiles().includes(path);
      const change = isThere ? undefined : await readChange(parts, { path, ...part }, signal);
      if (change !== undefined) return change;
      const paths = isThere ? [path] : path.split('\n').flatMap((each) => expandBraces(each) ?? [each]);
      const [first = path, ...more] = paths;
      return more.length === 0 ? read(first, part, signal) : readAll([first, ...more], part, signal);
    },
  });
}

function describeMark(access: Access): string | undefined {
  switch (access.kind) {
    case 'editable':
      return undefined;
    case 'partly':
      return `only ${access.what} may change`;
    case 'protected':
      return `protected: ${access.reason}`;
  }
}

export async function describeUnreadable(
  path: string,
  file: Exclude<ReadResult, { kind: 'text' }>,
  { workspace, runTask }: { workspace: ReadableFiles; runTask: RunTask },
  signal: AbortSignal,
): Promise<ToolResult> {
  switch (file.kind) {
    case 'missing':
      return toolError(await runTask(missingTask, { path, files: workspace.listFiles() }, signal));
    case 'refused':
      // The address of a page is often taken for its path.
      if (path.startsWith('/')) return describeUnreadable(path, { kind: 'missing' }, { workspace, runTask }, signal);
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

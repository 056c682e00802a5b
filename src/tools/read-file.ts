import { z } from 'zod';
import { createTool, type Tool, type ToolResult, toolError, toolOk } from '../agent/tool.ts';
import type { Access } from '../policy/policy.ts';
import type { RunTask } from '../threads/threads.ts';
import type { ReadableFiles } from '../workspace/commit-files.ts';
import type { ReadResult } from '../workspace/workspace-files.ts';
import { findPlace } from './other-repositories.ts';
import { missingTask } from './output/describe-missing.ts';
import { formatCount } from './output/limits.ts';
import { partTask } from './output/show-part.ts';
import type { ToolParts } from './tool-parts.ts';

export const createReadFileTool = ({ workspace, limits, runTask, others }: ToolParts): Tool =>
  createTool({
    name: 'read_file',
    description: 'Reads a text file; of a long one, first its headings.',
    arguments: z.object({
      path: z.string(),
      offset: z.number().int().min(1).optional().describe('First line.'),
      limit: z.number().int().min(1).optional(),
      heading: z.string().optional().describe('Only this section (heading or #id).'),
      column: z.number().int().min(1).optional(),
    }),
    async execute({ path: asked, ...part }, signal) {
      const place = await findPlace({ workspace, others }, asked, signal);
      if (place.kind === 'refused') return toolError(place.reason);
      const { files, path } = place;
      const file = await files.readFile(path);
      if (file.kind !== 'text') return describeUnreadable(path, file, { workspace: files, runTask }, signal);
      const mark = describeMark(files.describeAccess(path));
      const { kind, output } = await runTask(partTask, { ...part, path, mark, text: file.text, limits }, signal);
      return kind === 'shown' ? toolOk(output) : toolError(output);
    },
  });

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

import { z } from 'zod';
import { createTool, type Tool, toolError, toolOk } from '../agent/tool.ts';
import { missingTask } from './describe-missing.ts';
import type { ToolParts } from './tool-parts.ts';

export const createMoveFileTool = ({ workspace, runTask }: ToolParts): Tool =>
  createTool({
    name: 'move_file',
    description:
      'Moves or renames one file and creates missing folders. Does not update links to the old path, nor relative links inside the file: search for them and edit them.',
    arguments: z.object({
      from: z.string().describe('Current path of the file, from the repository root.'),
      to: z.string().describe('New path with the file name. It must not exist yet.'),
    }),
    async execute({ from, to }, signal) {
      const moved = await workspace.moveFile(from, to);
      switch (moved.kind) {
        case 'moved':
          return toolOk(`moved ${from} to ${to}`);
        case 'missing':
          return toolError(await runTask(missingTask, { path: from, files: workspace.listFiles() }, signal));
        case 'refused':
          return toolError(moved.reason);
      }
    },
  });

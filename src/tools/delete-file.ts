import { z } from 'zod';
import { createTool, type Tool, toolError, toolOk } from '../agent/tool.ts';
import { missingTask } from './answers/describe-missing.ts';
import type { ToolParts } from './tool-parts.ts';

export const createDeleteFileTool = ({ workspace, runTask }: ToolParts): Tool =>
  createTool({
    name: 'delete_file',
    description: 'Deletes a file.',
    arguments: z.object({ path: z.string() }),
    async execute({ path }, signal) {
      const removed = await workspace.removeFile(path);
      switch (removed.kind) {
        case 'removed':
          return toolOk(`deleted ${path}`);
        case 'missing':
          return toolError(await runTask(missingTask, { path, files: workspace.listFiles() }, signal));
        case 'refused':
          return toolError(removed.reason);
      }
    },
  });

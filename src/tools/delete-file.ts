import { z } from 'zod';
import { createTool, type Tool, toolError, toolOk } from '../agent/tool.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { describeMissing } from './describe-missing.ts';

export const createDeleteFileTool = (workspace: Workspace): Tool =>
  createTool({
    name: 'delete_file',
    description: 'Deletes one file. Does not update links to it: search for them first.',
    arguments: z.object({ path: z.string().describe('Path from the repository root, for example docs/old.md.') }),
    async execute({ path }) {
      const removed = await workspace.removeFile(path);
      switch (removed.kind) {
        case 'removed':
          return toolOk(`deleted ${path}`);
        case 'missing':
          return toolError(describeMissing(path, workspace.listFiles()));
        case 'refused':
          return toolError(removed.reason);
      }
    },
  });

import { z } from 'zod';
import { createTool, type Tool, toolError, toolOk } from '../agent/tool.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { describeMissing } from './describe-missing.ts';

/** Moves or renames one file. */
export const createMoveFileTool = (workspace: Workspace): Tool =>
  createTool({
    name: 'move_file',
    description:
      'Moves or renames one file; folders are made as needed. Links to the old place and relative links inside the file are not changed: search for them and edit them.',
    arguments: z.object({
      from: z.string().describe('Where the file is, from the root of the repository.'),
      to: z.string().describe('Where it goes, with its file name; nothing may be there yet.'),
    }),
    async execute({ from, to }) {
      const moved = await workspace.moveFile(from, to);
      switch (moved.kind) {
        case 'moved':
          return toolOk(`moved ${from} to ${to}`);
        case 'missing':
          return toolError(describeMissing(from, workspace.listFiles()));
        case 'refused':
          return toolError(moved.reason);
      }
    },
  });

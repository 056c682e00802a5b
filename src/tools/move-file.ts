import { z } from 'zod';
import { createTool, type Tool, toolError, toolOk } from '../agent/tool.ts';
import { missingTask } from './answers/describe-missing.ts';
import { describeUnread } from './answers/describe-unread.ts';
import { joinRows } from './answers/join-rows.ts';
import { updateLinks } from './edits/update-links.ts';
import type { ToolParts } from './tool-parts.ts';

export const createMoveFileTool = ({ workspace, runTask, limits, docs }: ToolParts): Tool =>
  createTool({
    name: 'move_file',
    description:
      'Moves a file. update_links rewrites all links to and from it and its navigation, and adds a redirect where the site has others.',
    arguments: z.object({
      from: z.string(),
      to: z.string(),
      update_links: z.boolean().optional(),
      exclude: z.string().optional(),
    }),
    async execute({ from, to, update_links: updates = false, exclude }, signal) {
      const move = updates ? await docs.ask('move', { from, to }, workspace.writes(), { signal }) : undefined;
      const moved = await workspace.moveFile(from, to);
      switch (moved.kind) {
        case 'missing':
          return toolError(await runTask(missingTask, { path: from, files: workspace.listFiles() }, signal));
        case 'refused':
          return toolError(moved.reason);
      }
      const done = `moved ${from} to ${to}`;
      if (!updates) return toolOk(done);
      if (move === undefined) return toolOk(`${done}, but no link was updated: ${describeUnread('search')}`);
      const rows = await updateLinks({ workspace, move, from, to, exclude, signal });
      return toolOk(joinRows([done, ...rows], limits.maxCharacters, (rest) => `${rest} more lines`));
    },
  });

import { z } from 'zod';
import { createTool, type Tool, toolError, toolOk } from '../agent/tool.ts';
import { withLineEndsOf } from './edits/replace-occurrences.ts';
import { plural } from './output/limits.ts';
import { rewriteTask } from './output/show-places.ts';
import type { ToolParts } from './tool-parts.ts';

/** An existing file with CRLF line ends keeps them. */
export const createWriteFileTool = ({ workspace, runTask }: ToolParts): Tool =>
  createTool({
    name: 'write_file',
    description: 'Writes a whole file.',
    arguments: z.object({
      path: z.string(),
      content: z.string(),
    }),
    async execute({ path, content }, signal) {
      const before = await workspace.readFile(path);
      const text = before.kind === 'text' ? withLineEndsOf(before.text, content) : content;
      const written = await workspace.writeFile(path, text);
      if (written.kind === 'refused') return toolError(written.reason);
      const lines = plural(content.split('\n').length - (content.endsWith('\n') ? 1 : 0), 'line');
      if (before.kind !== 'text')
        return toolOk(`${before.kind === 'missing' ? 'created' : 'replaced'} ${path} (${lines})`);
      const shown = await runTask(rewriteTask, { before: before.text, after: text }, signal);
      return toolOk(`replaced ${path} (${lines}); ${shown}`);
    },
  });

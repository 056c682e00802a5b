import { z } from 'zod';
import { createTool, type Tool, toolError, toolOk } from '../agent/tool.ts';
import { missingTask } from './output/describe-missing.ts';
import { joinRows } from './output/join-rows.ts';
import { showReferences } from './output/show-references.ts';
import type { ToolParts } from './tool-parts.ts';

export function createDeleteFileTool({ workspace, runTask, limits, docs }: ToolParts): Tool {
  async function describe(path: string, signal: AbortSignal): Promise<string> {
    const done = `deleted ${path}`;
    const found = await docs.ask('references', { target: path }, workspace.writes(), { signal });
    // What cannot be read in time is asked again at the end.
    if (found?.kind !== 'found' || found.files.length === 0) return done;
    const rows = [done, ...(await showReferences(workspace, found))];
    return joinRows(rows, limits.maxCharacters, (rest) => `${rest} more lines`);
  }

  return createTool({
    name: 'delete_file',
    description: 'Deletes a file, and lists what leads to it.',
    arguments: z.object({ path: z.string() }),
    async execute({ path }, signal) {
      const removed = await workspace.removeFile(path);
      switch (removed.kind) {
        case 'removed':
          return toolOk(await describe(path, signal));
        case 'missing':
          return toolError(await runTask(missingTask, { path, files: workspace.listFiles() }, signal));
        case 'refused':
          return toolError(removed.reason);
      }
    },
  });
}

import { z } from 'zod';
import { createTool, type Tool, toolError, toolOk } from '../agent/tool.ts';
import { insertTask } from './edits/insert-into-text.ts';
import { describeUnreadable } from './read-file.ts';
import type { ToolParts } from './tool-parts.ts';

/** A string for the model: not every server takes an argument of two types. */
const lineOrHeading = z.preprocess((after) => (typeof after === 'number' ? String(after) : after), z.string());

export const createInsertTextTool = ({ workspace, runTask }: ToolParts): Tool =>
  createTool({
    name: 'insert_text',
    description: 'Inserts lines after a line number (0: top), at the end of the section of a heading, or at "end".',
    arguments: z.object({
      path: z.string(),
      after: lineOrHeading,
      text: z.string(),
    }),
    async execute({ path, after, text: inserted }, signal) {
      if (inserted === '') return toolError('text is empty, so nothing would change');
      const file = await workspace.readFile(path);
      if (file.kind !== 'text') return describeUnreadable(path, file, { workspace, runTask }, signal);
      const result = await runTask(insertTask, { path, text: file.text, inserted, after }, signal);
      if (result.kind === 'refused') return toolError(result.reason);
      const written = await workspace.writeFile(path, result.text);
      return written.kind === 'refused'
        ? toolError(written.reason)
        : toolOk(`inserted into ${path} at line ${result.line}; now:\n${result.shown}`);
    },
  });

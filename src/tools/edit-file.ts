import { z } from 'zod';
import { createTool, type Tool, toolError, toolOk } from '../agent/tool.ts';
import { editTask } from './edits/edit-text.ts';
import { sectionTask } from './edits/replace-section.ts';
import { describeUnreadable } from './read-file.ts';
import type { ToolParts } from './tool-parts.ts';

export const createEditFileTool = ({ workspace, limits, runTask }: ToolParts): Tool =>
  createTool({
    name: 'edit_file',
    description: 'Replaces old_text, copied exactly from the file, where it occurs once.',
    arguments: z.object({
      path: z.string(),
      old_text: z.string().optional(),
      heading: z
        .string()
        .optional()
        .describe('Instead of old_text: this whole section, heading included. Empty new_text deletes it.'),
      new_text: z.string(),
      replace_all: z.boolean().optional(),
    }),
    async execute({ path, old_text: oldText = '', heading, new_text: newText, replace_all: all = false }, signal) {
      if (heading !== undefined && oldText !== '') return toolError('give old_text or heading, not both');
      if (heading === undefined && oldText === '') {
        return toolError('old_text is empty; provide the text to replace, or use write_file to write the whole file');
      }
      if (heading === undefined && oldText === newText) {
        return toolError('old_text and new_text are the same, so the edit would change nothing');
      }
      const file = await workspace.readFile(path);
      if (file.kind !== 'text') {
        return describeUnreadable(path, file, { workspace, runTask }, signal);
      }
      const edit = { path, text: file.text, newText, limits };
      const edited =
        heading === undefined
          ? await runTask(editTask, { ...edit, oldText, all }, signal)
          : await runTask(sectionTask, { ...edit, heading }, signal);
      if (edited.kind === 'refused') {
        return toolError(edited.reason);
      }
      const written = await workspace.writeFile(path, edited.text);
      return written.kind === 'refused'
        ? toolError(written.reason)
        : toolOk(`edited ${path} at ${edited.where}; now:\n${edited.shown}`);
    },
  });

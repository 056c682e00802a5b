import { z } from 'zod';
import { createTool, type Tool, toolError, toolOk } from '../agent/tool.ts';
import { editTask, type Replacement } from './edits/edit-text.ts';
import { sectionTask } from './edits/replace-section.ts';
import { describeUnreadable } from './read-file.ts';
import type { ToolParts } from './tool-parts.ts';

const maxEdits = 20;

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
      new_text: z.string().optional(),
      replace_all: z.boolean().optional(),
      edits: z
        .array(z.object({ old_text: z.string(), new_text: z.string(), replace_all: z.boolean().optional() }))
        .optional()
        .describe('Instead of old_text: several edits, in order, all or none.'),
    }),
    async execute(
      { path, old_text: oldText = '', heading, new_text: newText, replace_all: all = false, edits },
      signal,
    ) {
      if ([heading, edits, oldText || undefined].filter((way) => way !== undefined).length > 1)
        return toolError('give old_text, heading or edits, not several of them');
      if (edits === undefined && newText === undefined) return toolError('new_text is missing');
      const replacements =
        edits?.map((edit) => ({ oldText: edit.old_text, newText: edit.new_text, all: edit.replace_all ?? false })) ??
        (heading === undefined ? [{ oldText, newText: newText ?? '', all }] : []);
      const mistake = heading === undefined ? findMistake(replacements) : undefined;
      if (mistake !== undefined) return toolError(mistake);
      const file = await workspace.readFile(path);
      if (file.kind !== 'text') return describeUnreadable(path, file, { workspace, runTask }, signal);
      const edit = { path, text: file.text, limits };
      const edited =
        heading === undefined
          ? await runTask(editTask, { ...edit, replacements }, signal)
          : await runTask(sectionTask, { ...edit, heading, newText: newText ?? '' }, signal);
      if (edited.kind === 'refused') return toolError(edited.reason);
      const written = await workspace.writeFile(path, edited.text);
      if (written.kind === 'refused') return toolError(written.reason);
      return toolOk(`edited ${path} at ${edited.where}${edited.shown === undefined ? '' : `; now:\n${edited.shown}`}`);
    },
  });

function findMistake(replacements: readonly Replacement[]): string | undefined {
  if (replacements.length === 0) return 'edits is empty';
  if (replacements.length > maxEdits) return `more than ${maxEdits} edits; make several calls, or use write_file`;
  if (replacements.some(({ oldText }) => oldText === ''))
    return 'old_text is empty; provide the text to replace, or use write_file to write the whole file';
  if (replacements.some(({ oldText, newText }) => oldText === newText))
    return 'old_text and new_text are the same, so the edit would change nothing';
  return undefined;
}

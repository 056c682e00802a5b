import { z } from 'zod';
import { createTool, type Tool, toolError, toolOk } from '../agent/tool.ts';
import { type Edit, editTask } from './edits/edit-text.ts';
import { describeUnreadable } from './read-file.ts';
import type { ToolParts } from './tool-parts.ts';

const maxEdits = 100;

export const createEditFileTool = ({ workspace, limits, runTask }: ToolParts): Tool =>
  createTool({
    name: 'edit_file',
    description:
      'Makes edits in order, all or none. Each replaces old_text, copied exactly, which occurs once, or the whole section of a heading.',
    arguments: z.object({
      path: z.string(),
      edits: z.array(
        z.object({
          old_text: z.string().optional(),
          heading: z.string().optional(),
          new_text: z.string(),
          replace_all: z.boolean().optional(),
        }),
      ),
    }),
    readOther: readOneEdit,
    async execute({ path, edits: written }, signal) {
      const edits: Edit[] = [];
      for (const edit of written) {
        const { old_text: oldText = '', heading, new_text: newText, replace_all: all = false } = edit;
        const mistake = findMistake(edit);
        if (mistake !== undefined) return toolError(mistake);
        edits.push(heading === undefined ? { oldText, newText, all } : { heading, newText });
      }
      if (edits.length === 0) return toolError('edits is empty');
      if (edits.length > maxEdits) return toolError(`more than ${maxEdits} edits; make several calls`);
      const file = await workspace.readFile(path);
      if (file.kind !== 'text') return describeUnreadable(path, file, { workspace, runTask }, signal);
      const edited = await runTask(editTask, { path, text: file.text, edits, limits }, signal);
      if (edited.kind === 'refused') return toolError(edited.reason);
      const result = await workspace.writeFile(path, edited.text);
      if (result.kind === 'refused') return toolError(result.reason);
      return toolOk(`edited ${path} at ${edited.where}${edited.shown === undefined ? '' : `; now:\n${edited.shown}`}`);
    },
  });

/** Models know one edit without a list from other tools. Some write the list as a text. */
function readOneEdit({ edits, old_text, heading, new_text, replace_all, ...rest }: Record<string, unknown>): unknown {
  const isOne = Boolean(old_text) || heading !== undefined || (edits === undefined && new_text !== undefined);
  const one = isOne ? [{ old_text, heading, new_text, replace_all }] : [];
  const list = typeof edits === 'string' ? parseList(edits) : edits;
  if (list === undefined) return { ...rest, ...(isOne && { edits: one }) };
  return { ...rest, edits: Array.isArray(list) ? [...one, ...list] : list };
}

function parseList(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function findMistake({
  old_text: oldText = '',
  heading,
  new_text: newText,
}: {
  old_text?: string | undefined;
  heading?: string | undefined;
  new_text: string;
}): string | undefined {
  if (heading !== undefined) return oldText === '' ? undefined : 'give old_text or heading, not both';
  if (oldText === '')
    return 'old_text is empty; provide the text to replace, or use write_file to write the whole file';
  return oldText === newText ? 'old_text and new_text are the same, so the edit would change nothing' : undefined;
}

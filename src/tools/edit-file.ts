import { z } from 'zod';
import { parseJson } from '../agent/json.ts';
import { createTool, type Tool, toolError, toolOk } from '../agent/tool.ts';
import { type Edit, editTask } from './edits/edit-text.ts';
import { describeUnreadable } from './read-file.ts';
import type { ToolParts } from './tool-parts.ts';

const maxEdits = 100;

/** A string for the model: not every server takes an argument of two types. */
const lineOrHeading = z.preprocess((after) => (typeof after === 'number' ? String(after) : after), z.string());

const editSchema = z.object({
  old_text: z.string().optional(),
  heading: z.string().optional(),
  after: lineOrHeading.optional(),
  new_text: z.string(),
  replace_all: z.boolean().optional(),
});

export const createEditFileTool = ({ workspace, limits, runTask }: ToolParts): Tool =>
  createTool({
    name: 'edit_file',
    description:
      'All edits or none. Each replaces old_text, exact and only once there, or the section of a heading; or inserts after a line (0: top), the section of a heading, or "end".',
    arguments: z.object({
      path: z.string(),
      edits: z.array(editSchema).min(1).max(maxEdits),
    }),
    readOther: readOneEdit,
    async execute({ path, edits: written }, signal) {
      const edits: Edit[] = [];
      for (const edit of written) {
        const { old_text: oldText, heading, after, new_text: newText, replace_all: all = false } = edit;
        const mistake = findMistake(edit);
        if (mistake !== undefined) return toolError(mistake);
        if (after) edits.push({ after, newText });
        else edits.push(heading ? { heading, newText } : { oldText: oldText ?? '', newText, all });
      }
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
function readOneEdit(options: Record<string, unknown>): unknown {
  const { edits, old_text, heading, after, new_text, replace_all, ...rest } = options;
  const isOne =
    Boolean(old_text) || (heading ?? after) !== undefined || (edits === undefined && new_text !== undefined);
  const one = isOne ? [{ old_text, heading, after, new_text, replace_all }] : [];
  const parsed = typeof edits === 'string' ? parseJson(edits) : undefined;
  const list = parsed === undefined ? edits : parsed;
  if (list === undefined) return { ...rest, ...(isOne && { edits: one }) };
  return { ...rest, edits: Array.isArray(list) ? [...one, ...list] : list };
}

/** Some models fill what they do not need with empty texts. */
function findMistake({ old_text: oldText, heading, after, new_text: newText }: z.infer<typeof editSchema>) {
  const places = [oldText, heading, after].filter(Boolean);
  if (places.length > 1) return 'give one of old_text, heading and after';
  if (places.length === 0)
    return 'old_text is empty; provide the text to replace, or use write_file to write the whole file';
  if (after && newText === '') return 'new_text is empty, so nothing would change';
  return oldText && oldText === newText
    ? 'old_text and new_text are the same, so the edit would change nothing'
    : undefined;
}

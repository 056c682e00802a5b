import { z } from 'zod';
import { createTool, type Tool, type ToolResult, toolError, toolOk } from '../agent/tool.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { findNearest } from './find-nearest.ts';
import { cutLine, formatCount, type ToolLimits } from './limits.ts';
import { describeUnreadable } from './read-file.ts';
import { replaceText } from './replace-text.ts';

const maxLineNumbers = 10;

export const createEditFileTool = (workspace: Workspace, limits: ToolLimits): Tool =>
  createTool({
    name: 'edit_file',
    description:
      'Replaces text in a text file. old_text must occur exactly once and match character for character, including whitespace and line breaks. Copy it from read_file, with enough surrounding lines to make it unique. An empty new_text deletes old_text.',
    arguments: z.object({
      path: z.string().describe('Path from the repository root, for example docs/index.md.'),
      old_text: z.string().describe('The text to replace.'),
      new_text: z.string().describe('The replacement text.'),
      replace_all: z.boolean().optional().describe('Replace every occurrence of old_text. Default: false.'),
    }),
    async execute({ path, old_text: oldText, new_text: newText, replace_all: all = false }) {
      if (oldText === '') {
        return toolError('old_text is empty; provide the text to replace, or use write_file to write the whole file');
      }
      if (oldText === newText) {
        return toolError('old_text and new_text are the same, so the edit would change nothing');
      }
      const file = await workspace.readFile(path);
      if (file.kind !== 'text') {
        return describeUnreadable(path, file, workspace);
      }
      const result = replaceText({
        text: file.text,
        oldText,
        newText,
        all,
        maxCharacters: limits.maxFileCharacters,
      });
      if (result.kind === 'not_found') {
        return describeNotFound({ path, text: file.text, oldText, newText, limits });
      }
      if (result.kind === 'too_large') {
        return toolError(
          `${path} would be longer than ${formatCount(limits.maxFileCharacters)} characters; shorten new_text or split the file`,
        );
      }
      const where = describeLines(result.lines);
      if (result.kind === 'ambiguous') {
        return toolError(
          `old_text occurs in ${path} ${formatCount(result.lines.length)} times, at ${where}; add surrounding lines to make it unique, or set replace_all`,
        );
      }
      const written = await workspace.writeFile(path, result.text);
      return written.kind === 'refused' ? toolError(written.reason) : toolOk(`edited ${path} at ${where}`);
    },
  });

function describeNotFound({
  path,
  text,
  oldText,
  newText,
  limits,
}: {
  path: string;
  text: string;
  oldText: string;
  newText: string;
  limits: ToolLimits;
}): ToolResult {
  // Many files contain a short text by chance.
  if (newText.length >= 20 && text.includes(newText)) {
    return toolError(`old_text is not in ${path}, but new_text is: the edit may already be done`);
  }
  const nearest = findNearest(text, oldText);
  if (nearest === undefined) {
    return toolError(`old_text is not in ${path}, and neither is similar text; read the file again`);
  }
  const { first, lines, difference } = nearest;
  const why = difference === undefined ? '' : ` They differ from old_text only in ${difference}.`;
  const shown = lines.map((line) => cutLine(line, limits.maxLineCharacters)).join('\n');
  return toolError(
    `old_text is not in ${path}. The nearest lines are ${formatCount(first)}-${formatCount(first + lines.length - 1)}.${why} Copy them exactly:\n\n${shown.slice(0, limits.maxCharacters)}`,
  );
}

function describeLines(lines: readonly number[]): string {
  const shown = lines.slice(0, maxLineNumbers).map(formatCount).join(', ');
  return `line${lines.length > 1 ? 's' : ''} ${shown}${lines.length > maxLineNumbers ? ', ...' : ''}`;
}

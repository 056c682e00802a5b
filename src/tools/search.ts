import { z } from 'zod';
import { createTool, type Tool, type ToolResult, toolError, toolOk } from '../agent/tool.ts';
import type { SearchMatch } from '../workspace/search.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { cutLine, formatCount, type ToolLimits } from './limits.ts';

const maxMatchCharacters = 300;

/** Finds lines by a regular expression. */
export const createSearchTool = (workspace: Workspace, limits: ToolLimits): Tool =>
  createTool({
    name: 'search',
    description:
      'Finds lines in the text files of the repository. Answers with path:line: text. The pattern is a POSIX extended regular expression, matched within single lines; escape ( ) [ ] { } . * + ? | ^ $ with a backslash to find them as they are.',
    arguments: z.object({
      pattern: z.string().describe('Like install(ation)? guide'),
      path: z.string().optional().describe('Only in this file, or below this folder.'),
      ignore_case: z.boolean().optional().describe('Whether upper and lower case are the same; default: no.'),
    }),
    async execute({ pattern, path, ignore_case: ignoreCase }, signal) {
      const found = await workspace.search({ pattern, path, ignoreCase }, signal);
      switch (found.kind) {
        case 'refused':
          return toolError(found.reason);
        case 'invalid_pattern':
          return toolError(`the pattern cannot be used: ${found.reason}`);
        case 'too_slow':
          return toolError('the search took too long; use a simpler pattern, or search below one path');
        case 'matches':
          return showMatches(found, limits);
      }
    },
  });

function showMatches({ matches, isCut }: { matches: SearchMatch[]; isCut: boolean }, limits: ToolLimits): ToolResult {
  if (matches.length === 0) {
    return toolOk(isCut ? 'the lines that match are too long to be shown' : 'no line matches');
  }
  const shown: string[] = [];
  let characters = 0;
  for (const { path, line, text } of matches.slice(0, limits.maxLines)) {
    const row = `${path}:${line}: ${cutLine(text, { ...limits, maxLineCharacters: maxMatchCharacters })}`;
    characters += row.length + 1;
    if (characters > limits.maxCharacters) {
      break;
    }
    shown.push(row);
  }
  const isComplete = shown.length === matches.length && !isCut;
  const note = `... more lines match; the first ${formatCount(shown.length)} are shown. Narrow the search with path or a longer pattern.`;
  return toolOk([...shown, ...(isComplete ? [] : [note])].join('\n'));
}

import { z } from 'zod';
import { createTool, type Tool, type ToolResult, toolError, toolOk } from '../agent/tool.ts';
import type { SearchMatch } from '../workspace/search.ts';
import { cutLine, formatCount, type ToolLimits } from './limits.ts';
import type { ToolParts } from './tool-parts.ts';

const maxMatchCharacters = 300;

export const createSearchTool = ({ workspace, limits }: ToolParts): Tool =>
  createTool({
    name: 'search',
    description:
      'Finds lines in the text files of the repository. Returns path:line: text. The pattern is a POSIX extended regular expression, matched line by line. Escape ( ) [ ] { } . * + ? | ^ $ with a backslash to match them literally.',
    arguments: z.object({
      pattern: z.string().describe('For example install(ation)? guide'),
      path: z.string().optional().describe('Search only this file, or below this folder.'),
      ignore_case: z.boolean().optional().describe('Ignore letter case. Default: false.'),
    }),
    async execute({ pattern, path, ignore_case: ignoreCase }, signal) {
      const found = await workspace.search({ pattern, path, ignoreCase }, signal);
      switch (found.kind) {
        case 'refused':
          return toolError(found.reason);
        case 'invalid_pattern':
          return toolError(`invalid pattern: ${found.reason}`);
        case 'too_slow':
          return toolError('the search timed out; use a simpler pattern, or search below one path');
        case 'matches':
          return showMatches(found, limits);
      }
    },
  });

function showMatches({ matches, isCut }: { matches: SearchMatch[]; isCut: boolean }, limits: ToolLimits): ToolResult {
  if (matches.length === 0) {
    return toolOk(isCut ? 'the matching lines are too long to show' : 'no matches');
  }
  const shown: string[] = [];
  let characters = 0;
  for (const { path, line, text } of matches.slice(0, limits.maxLines)) {
    const row = `${path}:${line}: ${cutLine(text, maxMatchCharacters)}`;
    characters += row.length + 1;
    if (characters > limits.maxCharacters) {
      break;
    }
    shown.push(row);
  }
  const isComplete = shown.length === matches.length && !isCut;
  const note = `... more lines match; only the first ${formatCount(shown.length)} are shown. Narrow the search with path or a longer pattern.`;
  return toolOk([...shown, ...(isComplete ? [] : [note])].join('\n'));
}

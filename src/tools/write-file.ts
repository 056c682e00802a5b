import { z } from 'zod';
import { createTool, type Tool, toolError, toolOk } from '../agent/tool.ts';
import { formatCount } from './limits.ts';
import { isAllCrlf, toCrlf } from './replace-text.ts';
import type { ToolParts } from './tool-parts.ts';

/** An existing file with CRLF line ends keeps them. */
export const createWriteFileTool = ({ workspace }: ToolParts): Tool =>
  createTool({
    name: 'write_file',
    description:
      'Creates a text file and missing folders. Replaces the whole file if it exists: to change part of a file, use edit_file.',
    arguments: z.object({
      path: z.string().describe('Path from the repository root, for example docs/guides/install.md.'),
      content: z.string().describe('The whole content of the file. End it with a line break.'),
    }),
    async execute({ path, content }) {
      const before = await workspace.readFile(path);
      const keepsCrlf = before.kind === 'text' && isAllCrlf(before.text);
      const written = await workspace.writeFile(path, keepsCrlf ? toCrlf(content) : content);
      if (written.kind === 'refused') {
        return toolError(written.reason);
      }
      const lines = formatCount(content.split('\n').length - (content.endsWith('\n') ? 1 : 0));
      return toolOk(
        before.kind === 'missing' ? `created ${path} (${lines} lines)` : `replaced ${path} (${lines} lines)`,
      );
    },
  });

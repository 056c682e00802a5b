import { z } from 'zod';
import { createTool, type Tool, toolError, toolOk } from '../agent/tool.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { formatCount } from './limits.ts';
import { isAllCrlf, toCrlf } from './replace-text.ts';

/** Creates a file, or replaces the whole of one. A file that ends its lines with CRLF goes on doing so. */
export const createWriteFileTool = (workspace: Workspace): Tool =>
  createTool({
    name: 'write_file',
    description:
      'Creates a text file with this content; folders are made as needed. A file that exists is replaced as a whole: to change a part of it, use edit_file.',
    arguments: z.object({
      path: z.string().describe('From the root of the repository, like docs/guides/install.md.'),
      content: z.string().describe('The whole content. End it with a line break.'),
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

import { z } from 'zod';
import { createTool, type Tool, toolError, toolOk } from '../agent/tool.ts';
import { compileGlob } from '../workspace/glob.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { formatCount, type ToolLimits } from './limits.ts';

/** Names the files of the workspace; when they are too many, how many there are in which folder. */
export const createListFilesTool = (workspace: Workspace, limits: ToolLimits): Tool =>
  createTool({
    name: 'list_files',
    description:
      'Lists the files of the repository, or of one folder. When there are too many, it shows folders with the number of files in them: then narrow the list with path or glob.',
    arguments: z.object({
      path: z.string().optional().describe('Only files below this folder, like docs/guides.'),
      glob: z
        .string()
        .optional()
        .describe(
          'Only files that match, like *.md or docs/**/*.mdx. Knows *, **, ? and {a,b}; one without / matches file names.',
        ),
    }),
    execute({ path = '', glob }) {
      const folder = path.split('/').filter((part) => part !== '' && part !== '.');
      const prefix = folder.length === 0 ? '' : `${folder.join('/')}/`;
      const matches = glob === undefined ? () => true : compileGlob(glob.includes('/') ? glob : `**/${glob}`);
      if (matches === null) {
        return toolError(
          'the glob cannot be understood; it may hold *, **, ? and {a,b}, not nested, and be 500 characters long',
        );
      }
      const all = workspace.listFiles();
      const below = all.filter((file) => file.startsWith(prefix));
      if (below.length === 0 && prefix !== '') {
        const isFile = all.includes(prefix.slice(0, -1));
        return toolError(
          isFile
            ? `${path} is a file; read_file shows it`
            : `there is no folder ${path}; call list_files without path to see the top`,
        );
      }
      const files = below.filter((file) => matches(file) || matches(file.slice(prefix.length)));
      if (files.length === 0) {
        return toolOk(`none of ${formatCount(below.length)} files matches ${glob ?? prefix}`);
      }
      return toolOk(files.length <= limits.maxFiles ? files.join('\n') : summarise(files, limits));
    },
  });

/** The files folded into folders, as deep as there is room for. */
function summarise(files: readonly string[], { maxFiles }: ToolLimits): string {
  let lines = foldAt(files, 1);
  for (let depth = 2; ; depth += 1) {
    const deeper = foldAt(files, depth);
    if (deeper.length > maxFiles || deeper.length === lines.length) {
      break;
    }
    lines = deeper;
  }
  const shown = lines.slice(0, maxFiles);
  const rest = lines.length - shown.length;
  return [
    `${formatCount(files.length)} files are too many to list. Call again with path or glob to see the files of one folder.`,
    ...shown,
    ...(rest > 0 ? [`… and ${formatCount(rest)} more`] : []),
  ].join('\n');
}

function foldAt(files: readonly string[], depth: number): string[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    const parts = file.split('/');
    const key = parts.length > depth ? `${parts.slice(0, depth).join('/')}/` : file;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return Array.from(counts, ([key, count]) => (key.endsWith('/') ? `${key} (${formatCount(count)} files)` : key));
}

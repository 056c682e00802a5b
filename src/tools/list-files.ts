import { z } from 'zod';
import { createTool, type Tool, type ToolResult, toolError, toolOk } from '../agent/tool.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type FoundPaths, pathsTask } from './find-paths.ts';
import { formatCount, type ToolLimits } from './limits.ts';
import type { ToolParts } from './tool-parts.ts';

export const createListFilesTool = ({ workspace, limits, runTask }: ToolParts): Tool =>
  createTool({
    name: 'list_files',
    description:
      'Lists the files in the repository, or in one folder, and marks those that you may not write, or only in part. If there are too many, it lists folders with their file counts: narrow the list with path or glob.',
    arguments: z.object({
      path: z.string().optional().describe('Only files below this folder, for example docs/guides.'),
      glob: z
        .string()
        .optional()
        .describe(
          'Only matching files, for example *.md or docs/**/*.mdx. Supports *, **, ? and {a,b}. A glob without / matches file names.',
        ),
    }),
    async execute({ path = '', glob }, signal) {
      const query = { files: workspace.listFiles(), path, glob, maxRows: limits.maxFiles };
      const found = await runTask(pathsTask, query, signal);
      switch (found.kind) {
        case 'refused':
          return toolError(found.reason);
        case 'none':
          return toolOk(found.text);
        case 'rows':
          return showRows(found, limits, workspace);
      }
    },
  });

function showRows(
  { rows, rest, total, isFolded }: Extract<FoundPaths, { kind: 'rows' }>,
  limits: ToolLimits,
  { mark }: Pick<Workspace, 'mark'>,
): ToolResult {
  const shown: string[] = [];
  let characters = 0;
  for (const path of rows) {
    const words = path.endsWith(' files)') ? undefined : mark(path);
    const row = words === undefined ? path : `${path} (${words})`;
    characters += row.length + 1;
    if (characters > limits.maxCharacters) {
      break;
    }
    shown.push(row);
  }
  const missing = rest + rows.length - shown.length;
  const advice = 'Call again with path or glob to list the files of one folder.';
  return toolOk(
    [
      ...(isFolded ? [`${formatCount(total)} files are too many to list. ${advice}`] : []),
      ...shown,
      ...(missing > 0 ? [`... and ${formatCount(missing)} more${isFolded ? '' : `. ${advice}`}`] : []),
    ].join('\n'),
  );
}

import { z } from 'zod';
import { createTool, type Tool, toolError, toolOk } from '../agent/tool.ts';
import { describeProblems } from '../docs/describe-problems.ts';
import { describeNoPath } from './output/describe-missing.ts';
import type { ToolParts } from './tool-parts.ts';

export const createCheckTool = ({ workspace, docs, runTask }: ToolParts): Tool =>
  createTool({
    name: 'check',
    description: 'Lists what your changes broke; all: also before.',
    arguments: z.object({
      path: z.string().optional(),
      all: z.boolean().optional(),
    }),
    unlisted: ['path'],
    async execute({ path, all = false }, signal) {
      const base = workspace.listFiles();
      const gone = await describeNoPath(path, { files: base, runTask }, signal);
      if (gone !== undefined) return toolError(gone);
      const checked = await docs.check(workspace.writes(), { all, signal });
      if (checked === undefined) return toolError('the checks took too long or failed; look at your changes yourself');
      const { problems, goneFiles, checkedLinks, parsedPages, unparsedPages, navigation, notChecked } = checked;
      const shown = path === undefined ? problems : problems.filter(({ file }) => isIn(file, path));
      const late = unparsedPages === 0 ? '' : ` (no time for ${unparsedPages} more: call check again)`;
      const looked = `checked links: ${checkedLinks}, ${all ? '' : 'changed '}pages: ${parsedPages}${late}${navigation ? ', navigation' : ''}`;
      const head = [looked, ...notChecked].join('\n');
      const nothing = all ? 'nothing is broken' : 'your changes broke nothing';
      const where = `${notChecked.length > 0 ? ' that was checked' : ''}${problems.length > 0 ? ' in these files' : ''}`;
      if (shown.length === 0) return toolOk(`${head}\n${nothing}${where}`);
      return toolOk(`${head}\n${describeProblems({ problems: shown, goneFiles, all })}`);
    },
  });

function isIn(file: string, path: string): boolean {
  const plain = path.replace(/^(?:\.?\/)+|(?<!\/)\/+$/g, '');
  return plain === '' || plain === '.' || file === plain || file.startsWith(`${plain}/`);
}

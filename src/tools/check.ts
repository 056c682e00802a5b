import { z } from 'zod';
import { createTool, type Tool, toolError, toolOk } from '../agent/tool.ts';
import { describeProblems } from '../checks/describe-problems.ts';
import type { Docs } from '../docs/docs.ts';
import type { ToolParts } from './tool-parts.ts';

export const createCheckTool = ({ workspace, docs }: Pick<ToolParts, 'workspace'> & { docs: Docs }): Tool =>
  createTool({
    name: 'check',
    description:
      'Checks the documentation as it is now: links, anchors, images, imports, navigation, redirects, front matter and syntax. Lists only what the change brought, in files that it did not touch as well. finish does the same.',
    arguments: z.object({
      paths: z.array(z.string()).optional().describe('List only problems of these files, and below these folders.'),
    }),
    async execute({ paths }, signal) {
      const checked = await docs.check(workspace.writes(), { signal });
      if (checked === undefined) return toolError('the checks took too long or failed; look at your changes yourself');
      const { problems, goneFiles, checkedLinks, parsedPages } = checked;
      const shown = paths ? problems.filter(({ file }) => paths.some((path) => isIn(file, path))) : problems;
      const looked = `checked ${checkedLinks} links, ${parsedPages} changed pages, navigation`;
      if (shown.length === 0) return toolOk(`${looked}: no problems${problems.length > 0 ? ' there' : ''}`);
      return toolOk(`${looked}\n${describeProblems({ problems: shown, goneFiles })}`);
    },
  });

function isIn(file: string, path: string): boolean {
  const plain = path.replace(/^(?:\.?\/)+|\/+$/g, '');
  return plain === '' || plain === '.' || file === plain || file.startsWith(`${plain}/`);
}

import { z } from 'zod';
import { createTool, type Tool, toolError, toolOk } from '../agent/tool.ts';
import { describeUnread } from './output/describe-unread.ts';
import { joinRows } from './output/join-rows.ts';
import { showReferences } from './output/show-references.ts';
import type { ToolParts } from './tool-parts.ts';

export const createFindReferencesTool = ({ workspace, limits, docs }: ToolParts): Tool =>
  createTool({
    name: 'find_references',
    description:
      'Finds what leads to a path, address or #anchor of one, even a deleted one: links, navigation, redirects, includes.',
    arguments: z.object({ target: z.string() }),
    async execute({ target }, signal) {
      const found = await docs.ask('references', { target }, workspace.writes(), { signal });
      if (found === undefined) return toolError(describeUnread('search'));
      if (found.kind === 'unknown') {
        const hint = found.nearest === undefined ? '' : `; did you mean ${found.nearest}?`;
        return toolError(`there is no page, file, folder or address ${target.slice(0, 200)}${hint}`);
      }
      return toolOk(
        joinRows(await showReferences(workspace, found), limits.maxCharacters, (rest) => `${rest} more lines`),
      );
    },
  });

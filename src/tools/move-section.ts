import { z } from 'zod';
import { createTool, type Tool, toolError } from '../agent/tool.ts';
import { updateLinks } from './edits/update-links.ts';
import { answerUpdated } from './output/answer-updated.ts';
import { describeUnread } from './output/describe-unread.ts';
import { listNames } from './output/list-names.ts';
import { plainPath } from './paths/plain-path.ts';
import type { ToolParts } from './tool-parts.ts';

const maxAnchors = 20;

export const createMoveSectionTool = ({ workspace, limits, docs }: ToolParts): Tool =>
  createTool({
    name: 'move_section',
    description:
      'Moves a section to a page, new or not. Links to and in it follow. after: heading there that it follows, at its level.',
    arguments: z.object({
      path: z.string(),
      heading: z.string(),
      to: z.string(),
      after: z.string().optional(),
    }),
    async execute({ heading, after, ...paths }, signal) {
      const [path, to] = [plainPath(paths.path), plainPath(paths.to)];
      const found = await docs.ask('sectionMove', { path, heading, to, after }, workspace.writes(), { signal });
      if (found === undefined) return toolError(`nothing was moved: ${describeUnread('edit_file and insert_text')}`);
      if (found.kind === 'refused') return toolError(`nothing was moved: ${found.reason}`);
      const { pages, first, last, line, written, notes, move, anchors } = found;
      // Together: the section must not be lost, nor stand on both pages.
      const result = await workspace.writeFiles(new Map(pages.map((page) => [page.path, page.text])));
      if (result.kind === 'refused') return toolError(`nothing was moved: ${result.reason}`);
      const done = `moved lines ${first}-${last} of ${path} to ${to}:${line}: ${written}`;
      const still = { from: path, to: path };
      const { rows, notUpdated, countKnown } = await updateLinks({
        workspace,
        move,
        path: still,
        exclude: undefined,
        signal,
      });
      const names = { ...move, path, addresses: found.addresses, anchors: anchors.slice(0, maxAnchors), countKnown };
      const named = (path === to ? [] : await listNames(workspace, names, signal)) ?? [];
      const others = named.length === 0 ? [] : ['Still named as text or in code, where nothing was updated:', ...named];
      return answerUpdated({ done, rows: [...notes, ...rows, ...others], notUpdated, limits });
    },
  });

import { z } from 'zod';
import { createTool, type Tool, type ToolResult, toolError } from '../agent/tool.ts';
import { movedPath } from '../docs/moves/moved-path.ts';
import { answerMove } from './edits/update-links.ts';
import { describeUnread, missingTask } from './output/describe-missing.ts';
import { plural } from './output/limits.ts';
import { namesOf } from './output/list-names.ts';
import { plainPath } from './paths/plain-path.ts';
import type { ToolParts } from './tool-parts.ts';

/** A folder that is moved has at most so many files. */
const maxFiles = 200;

export const createMoveFileTool = (parts: ToolParts): Tool => {
  const { workspace, runTask, docs } = parts;
  return createTool({
    name: 'move_file',
    description:
      'Moves a file, folder, or section of a heading. Links, navigation and redirects follow, except in exclude. after: heading that the section follows, at its level.',
    arguments: z.object({
      from: z.string(),
      to: z.string(),
      heading: z.string().optional(),
      after: z.string().optional(),
      exclude: z.string().optional(),
    }),
    async execute({ heading, after, exclude, ...input }, signal) {
      const path = { from: plainPath(input.from), to: plainPath(input.to) };
      if (heading !== undefined) return moveOneSection(parts, { ...path, heading, after }, signal);
      const listInside = (folder: string) => workspace.listFiles().filter((file) => file.startsWith(`${folder}/`));
      const inside = listInside(path.from);
      // As a shell does.
      if (inside.length === 0 && listInside(path.to).length > 0)
        path.to += `/${path.from.slice(path.from.lastIndexOf('/') + 1)}`;
      if (inside.length > maxFiles)
        return toolError(`${path.from} has ${plural(inside.length, 'file')}; move its folders one by one`);
      if (inside.length > 0 && movedPath(path, path.to) !== path.to)
        return toolError(`${path.from} cannot go into itself`);
      const move = await docs.ask('move', path, workspace.writes(), { signal });
      const files = inside.length > 0 ? inside : [path.from];
      const moves = files.map((file) => ({ from: file, to: movedPath(path, file) }));
      const moved = await workspace.moveFiles(moves, signal);
      switch (moved.kind) {
        case 'missing':
          return toolError(await runTask(missingTask, { path: path.from, files: workspace.listFiles() }, signal));
        case 'refused':
          return toolError(
            moves.length === 1 ? moved.reason : `nothing was moved, because one file may not move: ${moved.reason}`,
          );
      }
      const what = inside.length > 0 ? `${plural(inside.length, 'file')} from ${path.from}` : path.from;
      const done = `moved ${what} to ${path.to}`;
      const notes = move && move.titles.length > 0 ? [`unchanged: ${move.titles.join(' and ')}`] : [];
      const names = move && inside.length === 0 ? namesOf(path.from, move) : undefined;
      return answerMove(parts, { done, move, path, exclude, notes, names }, signal);
    },
  });
};

const maxAnchors = 20;

/** Moves the section of a heading from one page to another, new or not. */
async function moveOneSection(
  parts: ToolParts,
  { from: path, to, heading, after }: { from: string; to: string; heading: string; after: string | undefined },
  signal: AbortSignal,
): Promise<ToolResult> {
  const { workspace, docs } = parts;
  const found = await docs.ask('sectionMove', { path, heading, to, after }, workspace.writes(), { signal });
  if (found === undefined) return toolError(`nothing was moved: ${describeUnread('edit_file')}`);
  if (found.kind === 'refused') return toolError(`nothing was moved: ${found.reason}`);
  const { pages, first, last, line, written, notes, move, anchors, addresses } = found;
  // Together: the section must not be lost, nor stand on both pages.
  const result = await workspace.writeFiles(new Map(pages.map((page) => [page.path, page.text])));
  if (result.kind === 'refused') return toolError(`nothing was moved: ${result.reason}`);
  const done = `moved lines ${first}-${last} of ${path} to ${to}:${line}: ${written}`;
  const names = path === to ? undefined : { ...move, path, addresses, anchors: anchors.slice(0, maxAnchors) };
  return answerMove(parts, { done, move, path: { from: path, to: path }, notes, names }, signal);
}

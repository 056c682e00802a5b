import { z } from 'zod';
import { createTool, type Tool, type ToolResult, toolError, toolOk } from '../agent/tool.ts';
import type { References } from '../docs/questions/find-references.ts';
import { answerMove } from './edits/update-links.ts';
import { describeUnread, missingTask } from './output/describe-missing.ts';
import { joinRows } from './output/limits.ts';
import { namesOf } from './output/list-names.ts';
import { showReferences } from './output/show-references.ts';
import { plainPath } from './paths/plain-path.ts';
import type { ToolParts } from './tool-parts.ts';

export function createDeleteFileTool(parts: ToolParts): Tool {
  const { workspace, runTask, limits, docs } = parts;

  async function remove(path: string, signal: AbortSignal): Promise<ToolResult | undefined> {
    const removed = await workspace.removeFile(path);
    switch (removed.kind) {
      case 'removed':
        return undefined;
      case 'missing':
        return toolError(await runTask(missingTask, { path, files: workspace.listFiles() }, signal));
      case 'refused':
        return toolError(removed.reason);
    }
  }

  async function describe(path: string, signal: AbortSignal): Promise<string> {
    const done = `deleted ${path}`;
    const found = await docs.ask('references', { target: path }, workspace.writes(), { signal });
    if (found === undefined) return `${done}, but not looked for what leads to it: ${describeUnread('search')}`;
    if (found.kind !== 'found' || found.files.length === 0) return done;
    return joinRows([done, ...(await showReferences(workspace, found))], limits.maxCharacters);
  }

  /** Deletes a page whose readers go to another one. */
  async function replace(from: string, target: string, signal: AbortSignal): Promise<ToolResult> {
    const find = (name: string) => docs.ask('references', { target: name }, workspace.writes(), { signal });
    const [page, found] = [await find(from), await find(target)];
    if (page === undefined || found === undefined)
      return toolError(`nothing was deleted: ${describeUnread('delete_file without redirect_to')}`);
    const isPage = (each: References) => each.kind === 'found' && !each.isGone && each.addresses.length > 0;
    if (page.kind === 'found' && page.isGone)
      return toolError(`${from} is deleted already; change what leads to it, and its redirect, by edit_file`);
    if (page.kind === 'found' && !isPage(page)) return toolError('nothing was deleted: redirect_to is only for pages');
    if (found.kind === 'unknown' || !isPage(found) || found.anchor !== '' || found.path === from) {
      const hint = found.kind === 'unknown' && found.nearest !== undefined ? `; did you mean ${found.nearest}?` : '';
      return toolError(
        `nothing was deleted: redirect_to must be another page, without #, and ${target.slice(0, 200)} is none${hint}`,
      );
    }
    const path = { from, to: found.path, isDeleted: true };
    const move = await docs.ask('deletion', path, workspace.writes(), { signal });
    const refusal = await remove(from, signal);
    if (refusal !== undefined) return refusal;
    return answerMove(parts, { done: `deleted ${from}`, move, path, names: move && namesOf(from, move) }, signal);
  }

  return createTool({
    name: 'delete_file',
    description: 'Deletes a file. redirect_to: the page that takes its links and address.',
    arguments: z.object({
      path: z.string(),
      redirect_to: z.string().optional(),
    }),
    async execute({ path: written, redirect_to: target }, signal) {
      const path = plainPath(written);
      if (target !== undefined) return replace(path, target, signal);
      return (await remove(path, signal)) ?? toolOk(await describe(path, signal));
    },
  });
}

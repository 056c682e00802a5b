import type { Tool } from '../agent/tool.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { createDeleteFileTool } from './delete-file.ts';
import { createEditFileTool } from './edit-file.ts';
import { defaultToolLimits, type ToolLimits } from './limits.ts';
import { createListFilesTool } from './list-files.ts';
import { createMoveFileTool } from './move-file.ts';
import { createReadFileTool } from './read-file.ts';
import { createSearchTool } from './search.ts';
import { createWriteFileTool } from './write-file.ts';

/** All tools that work on a workspace. Their order and texts are the same in every run: providers cache them as part of the prompt. */
export function createTools(workspace: Workspace, limits: ToolLimits = defaultToolLimits): Tool[] {
  return [
    createListFilesTool(workspace, limits),
    createReadFileTool(workspace, limits),
    createSearchTool(workspace, limits),
    createEditFileTool(workspace, limits),
    createWriteFileTool(workspace),
    createDeleteFileTool(workspace),
    createMoveFileTool(workspace),
  ];
}

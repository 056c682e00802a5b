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

/**
 * Everything that the model may do in a workspace; `finish` belongs to the agent's loop. The order and the texts are part of what
 * providers cache, so they are the same for every run.
 */
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

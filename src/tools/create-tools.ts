import { type Fields, isFields, parseJson } from '../agent/json.ts';
import { type Tool, toolError } from '../agent/tool.ts';
import { ThreadFailure } from '../threads/threads.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Refused } from '../workspace/workspace-files.ts';
import { listDifferences } from '../workspace/write-set.ts';
import { createCheckTool } from './check.ts';
import { createDeleteFileTool } from './delete-file.ts';
import { createEditFileTool } from './edit-file.ts';
import { createListFilesTool } from './list-files.ts';
import { createMoveFileTool } from './move-file.ts';
import { defaultToolLimits, joinRows } from './output/limits.ts';
import { showCharacters } from './output/show-characters.ts';
import { createReadFileTool } from './read-file.ts';
import { createReplaceTextTool } from './replace-text.ts';
import { createSearchTool } from './search.ts';
import { noOtherRepositories, type OtherRepositories, type ToolParts } from './tool-parts.ts';
import { createWriteFileTool } from './write-file.ts';

/** All tools that work on a workspace. Their order and texts are the same in every run: providers cache them as part of the prompt. */
export function createTools(options: Pick<ToolParts, 'workspace' | 'runTask' | 'docs'> & Partial<ToolParts>): Tool[] {
  const { workspace: all, runTask, docs } = options;
  const { others = noOtherRepositories, changes = async () => [], limits = defaultToolLimits } = options;
  const workspace = keepOutside(all, others);
  const parts = { workspace, limits, runTask, docs, others, changes };
  return [
    createListFilesTool(parts),
    createReadFileTool(parts),
    createSearchTool(parts),
    createEditFileTool(parts),
    createReplaceTextTool(parts),
    createWriteFileTool(parts),
    createDeleteFileTool(parts),
    createMoveFileTool(parts),
    createCheckTool(parts),
  ].map((tool) => explainThreadFailure(showCharacters(tool, runTask), parts));
}

function explainThreadFailure(tool: Tool, { workspace, limits }: ToolParts): Tool {
  return {
    ...tool,
    async call(...args) {
      const before = workspace.writes();
      try {
        return await tool.call(...args);
      } catch (error) {
        if (!(error instanceof ThreadFailure)) throw error;
        const changed = listDifferences(before, workspace.writes());
        return toolError(
          changed.length === 0
            ? `stopped: ${tool.name} took too long or too much memory, and nothing was changed; work on a smaller file, or use a narrower path, a simpler glob or a shorter text`
            : `${tool.name} changed these files, but took too long or too much memory to describe them; do not repeat the call:\n${joinRows(changed, limits.maxCharacters, 'more files')}`,
        );
      }
    },
  };
}

/** The workspace for tools that write: a path of another repository is refused, and makes no folder of that name here. */
function keepOutside(workspace: Workspace, { isOutside }: OtherRepositories): Workspace {
  const refuse = (...paths: (string | undefined)[]): Refused | undefined => {
    const path = paths.find((each) => each !== undefined && isOutside(each));
    if (path === undefined) return undefined;
    const reason = `${path.slice(0, 200)} is in another repository: it can be read, searched and listed, but not written`;
    return { kind: 'refused', reason };
  };
  return {
    ...workspace,
    readFile: async (path) => refuse(path) ?? workspace.readFile(path),
    writeFile: async (path, text) => refuse(path) ?? workspace.writeFile(path, text),
    writeFiles: async (texts) => refuse(...texts.keys()) ?? workspace.writeFiles(texts),
    removeFile: async (path) => refuse(path) ?? workspace.removeFile(path),
    moveFiles: async (moves, signal) =>
      refuse(...moves.flatMap(({ from, to }) => [from, to])) ?? workspace.moveFiles(moves, signal),
    search: async (query, signal) => refuse(query.path) ?? workspace.search(query, signal),
    countMatches: async (query, signal) => refuse(query.path) ?? workspace.countMatches(query, signal),
  };
}

/** A run that began before an upgrade has these names in its conversation, so its model may call them again. */
const earlier: readonly { name: string; now: string; read: (args: Fields) => Fields }[] = [
  { name: 'outline', now: 'list_files', read: (args) => ({ ...args, titles: true }) },
  { name: 'find_references', now: 'search', read: ({ target }) => ({ pattern: target, output: 'references' }) },
  {
    name: 'read_change',
    now: 'read_file',
    read: ({ pull_request: change, path, ...rest }) => ({ ...rest, path: path ? `${change}:${path}` : change }),
  },
  { name: 'insert_text', now: 'edit_file', read: ({ text, ...rest }) => ({ ...rest, new_text: text }) },
];

/** Tools of earlier releases, by what `tools` do now. */
export const listEarlierTools = (tools: readonly Tool[]): Tool[] =>
  earlier.flatMap(({ name, now, read }) =>
    tools
      .filter((tool) => tool.name === now)
      .map((tool) => ({
        ...tool,
        name,
        call: (argumentsText, ...rest) => tool.call(readArguments(argumentsText, read), ...rest),
      })),
  );

function readArguments(text: string, read: (args: Fields) => Fields): string {
  const args = parseJson(text);
  return isFields(args) ? JSON.stringify(read(args)) : text;
}

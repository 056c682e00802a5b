import type { Workspace } from '../workspace/workspace.ts';
import type { Refused } from '../workspace/workspace-files.ts';
import type { OtherRepositories } from './other-repositories.ts';

/** The workspace for tools that write: a path of another repository is refused, and makes no folder of that name here. */
export function keepOutside(workspace: Workspace, { isOutside }: OtherRepositories): Workspace {
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

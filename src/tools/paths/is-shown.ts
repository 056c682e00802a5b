import type { Workspace } from '../../workspace/workspace.ts';

/** False for files that the model may not read: they hold secrets. */
export async function isShown(workspace: Workspace, path: string): Promise<boolean> {
  return (await workspace.readFile(path)).kind === 'text';
}

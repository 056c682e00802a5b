import type { ReadableFiles } from '../../workspace/workspace.ts';

/** The texts of these files by path, without files that are not text, or that the model may not read. */
export async function readTexts(workspace: ReadableFiles, paths: Iterable<string>): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const path of new Set(paths)) {
    const file = await workspace.readFile(path);
    if (file.kind === 'text') texts.set(path, file.text);
  }
  return texts;
}

const maxImports = 50;
/** A path that ends like a text of rules: `@scope/package` and `@rita` are none. */
const importPattern = /(?<=^|\s)@([^\s@`]{1,200}\.(?:mdc?|mdx|txt))(?=[\s.,;:)]|$)/gm;

/**
 * The files that a text of rules imports by `@path`, as paths in the repository; not those outside of it, nor in code.
 * https://code.claude.com/docs/en/memory#import-additional-files
 */
export function listImports(text: string, path: string): string[] {
  const folder = path.split('/').slice(0, -1);
  const found = [...withoutCode(text).matchAll(importPattern)]
    .slice(0, maxImports)
    .flatMap(([, target = '']) => resolve(folder, target) ?? []);
  return [...new Set(found)];
}

function withoutCode(text: string): string {
  let fence: string | undefined;
  const lines = text.split('\n').filter((line) => {
    const [, mark] = /^ {0,3}(```|~~~)/.exec(line) ?? [];
    if (mark === undefined) return fence === undefined;
    if (fence === undefined) fence = mark;
    else if (fence === mark) fence = undefined;
    return false;
  });
  return lines.join('\n').replace(/`[^`\n]*`/g, '');
}

function resolve(folder: readonly string[], target: string): string | undefined {
  if (/^[/~\\]/.test(target)) return undefined;
  const names = [...folder];
  for (const name of target.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) return undefined;
  }
  return names.join('/');
}

import { posix } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { CodeFile } from '../../docs/frameworks/edits/data-files.ts';
import type { BaseFiles } from '../base-files.ts';
import type { Root } from './find-roots.ts';
import { plainName } from './plain-name.ts';

/** Files by their own name, or by the folder that they are in: a part of navigation, or a language. */
const navigationName =
  /nav|side|menu|footer|redirect|rewrite|config|locale|i18n|(?:^|\/)[a-z]{2}(?:[-_][a-z]{2,4})?(?:\/index)?\.[^/.]+$/;
const endOfPath = (name: string) => name.split('/').slice(-2).join('/');
const importing = /(?:\bfrom|\bimport|\brequire\()\s{0,20}\(?["'](\.{1,2}\/[^"'\n]{1,200})["']/g;
const endings = [
  '',
  ...['ts', 'js', 'mts', 'mjs', 'cts', 'cjs', 'tsx', 'jsx'].flatMap((end) => [`.${end}`, `/index.${end}`]),
];

const code = /\.[cm]?[jt]sx?$/i;
const pathsAtOnce = 2_000;

const maxSteps = 3;
const maxFiles = 60;

/** The files from which the configuration of a site imports its navigation, by plain name. */
export async function findImportedCode(
  base: BaseFiles,
  roots: readonly Root[],
  findOwn: (name: string) => CodeFile | undefined,
): Promise<Map<string, CodeFile>> {
  const found = new Map<string, CodeFile>();
  const withCode = roots.filter(({ framework }) => framework.code);
  if (withCode.length === 0) return found;
  const seen = new Set<string>();
  let next: string[] = [];
  let count = 0;
  for (const path of base.files.keys()) {
    count += 1;
    if (count % pathsAtOnce === 0) await yieldToEventLoop();
    if (code.test(path) && next.length < maxFiles && findOwn(plainName(path)) !== undefined) next.push(path);
  }
  for (let step = 0; step < maxSteps && next.length > 0; step += 1) {
    for (const path of next) seen.add(path);
    const imported: string[] = [];
    for (const [path, text] of await base.readTexts(next)) {
      for (const [, specifier = ''] of text.matchAll(importing)) imported.push(...resolve(path, specifier));
    }
    next = [...new Set(imported)].filter((path) => !seen.has(path)).slice(0, maxFiles);
    for (const path of next) {
      const name = plainName(path);
      const root = withCode.find(({ folder }) => name.startsWith(folder));
      if (root?.framework.code && navigationName.test(endOfPath(name)) && findOwn(name) === undefined)
        found.set(name, root.framework.code.imported);
    }
  }
  return found;

  /** An ending `.js` may stand for a file of TypeScript. */
  function resolve(path: string, specifier: string): string[] {
    const target = posix.join(posix.dirname(path), specifier);
    const candidates = [target, target.replace(/\.([cm]?)js$/, '.$1ts')].flatMap((each) =>
      endings.map((ending) => `${each}${ending}`),
    );
    const file = candidates.find((each) => base.files.has(each) && code.test(each));
    return file === undefined || file.includes('node_modules/') ? [] : [file];
  }
}

import { setImmediate } from 'node:timers/promises';
import { compileGlob } from '../../glob.ts';
import type { BaseFiles } from '../base-files.ts';
import { findMark } from './find-mark.ts';

/** `off`: nothing counts as generated. Globs: these files do, too. */
export type GeneratedSetting = 'off' | readonly string[];

const maxAttributeFiles = 100;
const maxCandidates = 2_000;

/** Why a path is one of a file that a program writes: by the settings, by .gitattributes, by what a page says of itself. */
export async function readGeneratedPaths(
  base: BaseFiles,
  setting: GeneratedSetting = [],
): Promise<(path: string) => string | undefined> {
  if (setting === 'off') return () => undefined;
  const named = setting.map((glob) => compileGlob(glob));
  const findAttribute = await readAttributes(base);
  const marks = await readMarks(base);
  return (path) => {
    // An invalid glob names nothing: a file that is left out by mistake is seen, one that may not be written is not.
    if (named.some((matches) => matches?.(path))) return 'it is generated, says `generated` in .github/pagewright.yml';
    if (findAttribute(path)) return 'it is generated, says .gitattributes (linguist-generated)';
    const mark = marks.get(path);
    return mark === undefined ? undefined : describeMark(mark);
  };
}

export const describeMark = (mark: string) => `it is generated, and says "${mark}"`;

async function readMarks(base: BaseFiles): Promise<Map<string, string>> {
  const candidates = (await base.findPages('generated')).slice(0, maxCandidates);
  const marks = new Map<string, string>();
  if (candidates.length === 0) return marks;
  const texts = [...(await base.readTexts(candidates))];
  for (const [index, [path, text]] of texts.entries()) {
    const mark = findMark(path, text);
    if (mark !== undefined) marks.set(path, mark);
    if (index % 50 === 49) await setImmediate();
  }
  return marks;
}

interface AttributeLine {
  matches: (path: string) => boolean | null;
  isGenerated: boolean;
}

/** The last line that names the attribute counts, those of inner folders last: https://git-scm.com/docs/gitattributes */
async function readAttributes(base: BaseFiles): Promise<(path: string) => boolean> {
  const paths = [...base.files.keys()]
    .filter((path) => /(?:^|\/)\.gitattributes$/.test(path))
    .slice(0, maxAttributeFiles);
  if (paths.length === 0) return () => false;
  const texts = [...(await base.readTexts(paths))].toSorted(([a], [b]) => a.split('/').length - b.split('/').length);
  const lines = texts.flatMap(([path, text]) => readLines(text, path.slice(0, -'.gitattributes'.length)));
  return (path) => lines.findLast(({ matches }) => matches(path) === true)?.isGenerated ?? false;
}

function readLines(text: string, folder: string): AttributeLine[] {
  const names = ['linguist-generated'];
  return text.split('\n').flatMap((line): AttributeLine[] => {
    const [pattern = '', ...attributes] = line.trim().split(/\s+/);
    const set = attributes.filter((attribute) => names.some((name) => isAbout(attribute, name))).at(-1);
    if (set === undefined || pattern.startsWith('#')) return [];
    const macro = /^\[attr\](.+)/.exec(pattern)?.[1];
    if (macro !== undefined) names.push(macro);
    const matches = macro === undefined ? compileGlob(toGlob(pattern, folder)) : null;
    return matches ? [{ matches, isGenerated: !/^[-!]|=false$/.test(set) }] : [];
  });
}

const isAbout = (attribute: string, name: string) => attribute.replace(/^[-!]/, '').split('=')[0] === name;

/** A pattern without a slash holds in every folder. */
const toGlob = (pattern: string, folder: string): string =>
  pattern.includes('/') ? `${folder}${pattern.replace(/^\//, '')}` : `${folder}**/${pattern}`;

import { sideNames } from '../../workspace/merges/side-names.ts';
import { type CodeFile, type CodeFileName, codeFiles } from '../code/code-files.ts';
import type { DataFile } from '../data/data-files.ts';
import { compileGlob } from '../glob.ts';
import { findFileType } from './file-types.ts';
import { plainName } from './plain-name.ts';
import { findProtection } from './protected-paths.ts';
import type { Site } from './site.ts';

/** What a run may do with the file at a path. */
export type Place =
  | { kind: 'page' }
  /** Only the data of its containers may change. */
  | { kind: 'data'; file: DataFile }
  /** The same, for JavaScript and TypeScript. */
  | { kind: 'code'; name: CodeFileName; file: CodeFile }
  /** May be moved and removed, not written. */
  | { kind: 'media' }
  /** The settings open it. */
  | { kind: 'opened'; type: 'plain' | 'data' }
  | { kind: 'protected'; reason: string };

/** Files about a project without an extension or with .txt, and files for robots. */
const knownTexts =
  /(?:^|\/)(?:(?:readme|changelog|changes|history|news|contributing|contributors|authors|licen[cs]e|copying|notice|support|security|code_of_conduct)(?:\.txt)?|(?:llms[\w.-]*|robots|humans)\.txt)$/;
const inDotFolder = /(?:^|\/)\.[^/]+\//;
/** The one folder with a dot that holds navigation. */
const configurationFolder = /(^|\/)\.(?:vite|vue)press\/(?!(?:theme|cache|dist)\/)/;
/** What merges append to the name of a file that is in the way of a folder. */
const ofSide = new RegExp(`~(?:${Object.values(sideNames).join('|')})$`);
const sphinxLocale = /(?:^|\/)locales?\/[^/]+\/lc_messages\/(?:[^/]+\/){0,9}[^/]+\.pot?$/;

/** Fails closed: what is not known to be documentation is protected, and an invalid glob opens nothing. */
export function createFindPlace(site: Site, also: readonly string[] = []): (path: string) => Place {
  const opened = also.map((glob) => compileGlob(glob));
  return (path) => {
    const name = plainName(path).replace(ofSide, '');
    const file = inDotFolder.test(name) ? undefined : site.findDataFile(name);
    if (file !== undefined) return { kind: 'data', file };
    const code = inDotFolder.test(name.replace(configurationFolder, '$1')) ? undefined : site.findCodeFile(name);
    if (code !== undefined) return { kind: 'code', name: code, file: codeFiles[code] };
    const protection = site.isTemplate(name) ? 'a build runs the templates of this folder' : findProtection(name);
    if (protection !== undefined) return { kind: 'protected', reason: protection };

    const type = findFileType(name);
    const isPage =
      type === 'page' ||
      knownTexts.test(name) ||
      (name.endsWith('.txt') && site.hasTextPages(name)) ||
      (type === 'translation' && site.isSphinx && sphinxLocale.test(name));
    if (isPage) return { kind: 'page' };
    if (type === 'media') return { kind: 'media' };
    const canOpen = type === 'plain' || type === 'data' || type === 'translation';
    if (canOpen && opened.some((matches) => matches?.(path))) {
      return { kind: 'opened', type: type === 'data' ? 'data' : 'plain' };
    }
    const hint = canOpen ? '. A person can open it by `also` in .github/pagewright.yml' : '';
    return { kind: 'protected', reason: `it is neither a page (md, mdx, mdoc, rst, adoc) nor navigation data${hint}` };
  };
}

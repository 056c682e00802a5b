import { decodeText } from '../decode-text.ts';

/**
 * Tags that some YAML readers take for "run this": Python's, Ruby's and JavaScript's, also spelled in full, with % escapes, or by a
 * handle that a directive defines. https://yaml.org/spec/1.2.2/#97-tags, https://pyyaml.org/wiki/PyYAMLDocumentation
 */
const codeTags = /!(?:python|ruby|js)\/|![^\s,[\]{}]{0,40}%|tag:yaml\.org,2002:|^%TAG/;

/**
 * What makes MkDocs load code, and the ways to spell it otherwise: a merge, a key with an escape in it or with a `?` before it.
 * https://www.mkdocs.org/user-guide/configuration/
 */
const mkdocsKeys =
  /(?<![\w./-])(?:hooks|INHERIT|plugins|<<)["']?\s*:|"[^"\\]*\\[^"]*"\s*:|(?:^|[{[,])\s*\?(?:\s|$)|!!merge/;

/** An item of a list that begins with a key: a page called `hooks` in the navigation loads nothing. */
const itemKey = /^\s*-\s+["']?\w+["']?\s*:/;

/** Whether `findAddedCode` may have something to say about a path. */
export const mayConfigureCode = (path: string): boolean => /\.ya?ml$/.test(plainName(path));

/**
 * Why YAML may not be written, or undefined when it may: it gains what makes a build run code, compared with what was there before (null:
 * nothing). MkDocs' own file cannot be protected whole, for it holds the navigation; what loads code in it stays as it was, or goes. Bytes
 * that are not UTF-8 could be read in another way than here, and are refused. Linear in the text. Written for the model.
 */
export function findAddedCode(path: string, before: Uint8Array | null, after: Uint8Array): string | undefined {
  const was = decodeText(before ?? new Uint8Array()) ?? '';
  const is = decodeText(after);
  if (is === undefined) {
    return `${path} would not be text in UTF-8; leave it as it is`;
  }
  const tag = findAddedBlock(was, is, codeTags);
  if (tag !== undefined) {
    return `${path} would gain a YAML tag that can run code: ${tag}. Write it without; if it is needed, say so in your summary`;
  }
  const isMkdocs = /(^|\/)mkdocs[^/]*$/.test(plainName(path));
  const key = isMkdocs ? findAddedBlock(was, is, mkdocsKeys) : undefined;
  return key === undefined
    ? undefined
    : `hooks, INHERIT and plugins of ${path} load code, so each has to stay as it was, with everything below it: ${key} is new or changed. Write the rest; if this has to change, say so in your summary`;
}

/** The first line of a block that the old text does not have, or undefined. */
function findAddedBlock(before: string, after: string, pattern: RegExp): string | undefined {
  const known = new Set(listBlocks(before, pattern));
  const added = listBlocks(after, pattern).find((block) => !known.has(block));
  return added?.split('\n', 1)[0]?.trim().slice(0, 100);
}

/** Each line that the pattern finds, with what belongs to it; what is found inside of that is part of it. */
function listBlocks(text: string, pattern: RegExp): string[] {
  // What YAML 1.1, and so PyYAML, takes for the end of a line. A byte order mark would hide how a line begins.
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|[\r\n\u0085\u2028\u2029]/);
  const blocks: string[][] = [];
  let goesOn = (_line: string): boolean => false;
  for (const line of lines.map((written) => written.trimEnd())) {
    if (line === '' || /^\s*#/.test(line)) continue;
    if (goesOn(line)) {
      blocks.at(-1)?.push(line);
    } else if (pattern.test(line.replace(itemKey, ''))) {
      blocks.push([line]);
      goesOn = createBelonging(line);
    } else {
      goesOn = () => false;
    }
  }
  return blocks.map((block) => block.join('\n'));
}

/**
 * Whether one line after the other belongs to the first: it stands further in, is an item of its list, which may stand as far out, or a
 * bracket is still open, in which PyYAML takes any indentation.
 */
function createBelonging(head: string): (line: string) => boolean {
  let openBrackets = countOpened(head);
  return (line) => {
    const isItem = indentOf(line) === indentOf(head) && /^\s*-(\s|$)/.test(line) && !/^\s*-(\s|$)/.test(head);
    if (openBrackets <= 0 && indentOf(line) <= indentOf(head) && !isItem) return false;
    openBrackets += countOpened(line);
    return true;
  };
}

const indentOf = (line: string): number => line.search(/\S/);

function countOpened(line: string): number {
  const unquoted = line.replace(/"[^"]*"|'[^']*'/g, '');
  return unquoted.replace(/[^[{]+/g, '').length - unquoted.replace(/[^\]}]+/g, '').length;
}

const plainName = (path: string): string => path.normalize('NFKC').toLowerCase();

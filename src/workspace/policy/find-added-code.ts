import type { Change } from './change.ts';

/** Tags that make parsers run code. https://yaml.org/spec/1.2.2/#97-tags, https://pyyaml.org/wiki/PyYAMLDocumentation */
const codeTags = /!(?:python|ruby|js)\/|![^\s,[\]{}]{0,40}%|tag:yaml\.org,2002:|^%TAG/;

/** MkDocs keys that load code, also by merge keys, escapes or `?` keys: https://www.mkdocs.org/user-guide/configuration/ */
const mkdocsKeys =
  /(?<![\w./-])(?:hooks|INHERIT|plugins|<<)["']?\s*:|"[^"\\]*\\[^"]*"\s*:|(?:^|[{[,])\s*\?(?:\s|$)|!!merge/;

/** A list item with a key: a page named `hooks` in the navigation loads no code. */
const itemKey = /^\s*-\s+["']?\w+["']?\s*:/;

const mayConfigureCode = (path: string): boolean => /\.ya?ml$/.test(plainName(path));

export const guardAddedCode = ({ path, before, after }: Change): string | undefined =>
  mayConfigureCode(path) && after ? findAddedCode(path, before?.text ?? '', after.text) : undefined;

/**
 * Returns, for the model, why YAML may not be written: it adds something that makes a build run code. Existing parts may stay or go. Refuses
 * bytes that are not UTF-8, which another parser could read differently. Linear time.
 */
export function findAddedCode(path: string, oldText: string, newText: string | null): string | undefined {
  if (newText === null) {
    return `${path} would not be UTF-8 text; leave it as it is`;
  }
  const tag = findAddedBlock(oldText, newText, codeTags);
  if (tag !== undefined) {
    return `${path} would gain a YAML tag that can run code: ${tag}. Write the file without it; if the tag is needed, say so in your summary`;
  }
  const isMkdocs = /(^|\/)mkdocs[^/]*$/.test(plainName(path));
  const key = isMkdocs ? findAddedBlock(oldText, newText, mkdocsKeys) : undefined;
  return key === undefined
    ? undefined
    : `hooks, INHERIT and plugins of ${path} load code, so keep each of them unchanged, with everything below it: ${key} is new or changed. Make your other edits; if this has to change, say so in your summary`;
}

function findAddedBlock(before: string, after: string, pattern: RegExp): string | undefined {
  const oldBlocks = new Set(listBlocks(before, pattern));
  const added = listBlocks(after, pattern).find((block) => !oldBlocks.has(block));
  return added?.split('\n', 1)[0]?.trim().slice(0, 100);
}

/** Each matching line with the lines that belong to it. Matches inside a block are part of the block. */
function listBlocks(text: string, pattern: RegExp): string[] {
  // The line breaks of YAML 1.1, as in PyYAML. A byte order mark would hide the start of the first line.
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|[\r\n\u0085\u2028\u2029]/);
  const blocks: string[][] = [];
  let belongs = (_line: string): boolean => false;
  for (const line of lines.map((written) => written.trimEnd())) {
    if (line === '' || /^\s*#/.test(line)) continue;
    if (belongs(line)) {
      blocks.at(-1)?.push(line);
    } else if (pattern.test(line.replace(itemKey, ''))) {
      blocks.push([line]);
      belongs = createBlockTest(line);
    } else {
      belongs = () => false;
    }
  }
  return blocks.map((block) => block.join('\n'));
}

/** More indentation, an item of its list, or an open bracket, in which PyYAML accepts any indentation. */
function createBlockTest(head: string): (line: string) => boolean {
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

import { type JsonNode, locateString, membersOf, parseJsonTree, stringOf } from '../../formats/json.ts';
import { type FileTree, folderOf, isBelow, joinPath } from '../../tree.ts';
import { readJsonRedirects } from '../redirects/host-redirects.ts';
import type { Redirect, TextRange } from '../site-rules.ts';

const maxFiles = 50;
/** An operation of an API, which becomes a page by itself. */
const operation = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|WEBHOOK)\s/i;

interface At {
  path: string;
  lineOf(position: number): number;
  key: string;
  section: 'navigation' | 'redirects' | undefined;
}

/** Follows `$ref` to files of the repository, each once. https://www.mintlify.com/docs/organize/settings */
export function readMintlifyConfiguration(tree: FileTree, root: string, file: string) {
  const read = {
    files: [] as string[],
    entries: [] as (TextRange & { target: string })[],
    navigationFiles: [] as string[],
    redirects: [] as Redirect[],
    redirectFiles: [] as string[],
    faults: [] as { file: string; line: number; message: string }[],
    languages: [] as string[],
    versions: [] as string[],
    /** Addresses below which pages are made from an API description. */
    generated: [] as string[],
  };

  function follow(path: string, section: At['section']): void {
    if (read.files.includes(path) || read.files.length >= maxFiles) return;
    read.files.push(path);
    const parsed = parseJsonTree(tree.read(path) ?? '');
    if (parsed.fault) read.faults.push({ file: path, ...parsed.fault });
    if (parsed.root) visit(parsed.root, { path, lineOf: parsed.lineOf, key: section ?? '', section });
  }

  function visit(node: JsonNode, at: At): void {
    if (node.type === 'string') visitString(node, at);
    if (node.type === 'array' && at.section === 'redirects') {
      read.redirects.push(...readJsonRedirects(node, { file: at.path, lineOf: at.lineOf }));
      addOnce(read.redirectFiles, at.path);
      return;
    }
    if (node.type === 'array') for (const child of node.children ?? []) visit(child, at);
    const members = membersOf(node);
    if (at.section === 'navigation' && members.has('openapi'))
      read.generated.push(readDirectory(members.get('openapi')));
    for (const [key, value] of members) {
      const section = key === 'navigation' || key === 'redirects' ? key : at.section;
      visit(value, { ...at, key, section });
    }
  }

  function visitString(node: JsonNode, { path, lineOf, key, section }: At): void {
    const value = String(node.value);
    if (key === '$ref') {
      const target = joinPath(folderOf(path), value);
      if (target !== undefined && isBelow(target, root)) follow(target, section);
    } else if (key === 'language' && section === 'navigation') addOnce(read.languages, value);
    else if ((key === 'version' && section === 'navigation') || key === 'versions') addOnce(read.versions, value);
    else if (section === 'navigation' && (key === 'pages' || key === 'root') && !operation.test(value)) {
      read.entries.push({ target: value, file: path, line: lineOf(node.offset), ...locateString(node) });
      addOnce(read.navigationFiles, path);
    }
  }

  follow(file, undefined);
  return {
    ...read,
    navigationFiles: withFirst(read.navigationFiles, file),
    redirectFiles: withFirst(read.redirectFiles, file),
  };
}

/** https://www.mintlify.com/docs/api-playground/openapi-setup */
const readDirectory = (node: JsonNode | undefined) =>
  `/${(stringOf(membersOf(node).get('directory')) ?? 'api-reference').replace(/^\/|\/$/g, '')}`;

function addOnce(list: string[], item: string): void {
  if (!list.includes(item)) list.push(item);
}

const withFirst = (files: readonly string[], main: string) => (files.length === 0 ? [main] : [...files]);

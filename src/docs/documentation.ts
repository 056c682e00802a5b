import { findCopied, findMoves } from './find-moves.ts';
import { createOpenApiReader, type ReadOpenApi } from './formats/open-api.ts';
import { createPageReader } from './pages/page-reader.ts';
import { createReading, type Reading } from './reading.ts';
import { createSyntaxReader, type ReadSyntax } from './syntax/syntax-reader.ts';
import { createTree, type FileTree } from './tree.ts';

export interface BaseAndHead {
  /** The state before the pull request: its problems do not count. */
  readonly base: Reading;
  /** As the files are now. */
  readonly head: Reading;
}

/** The two states that questions are about. Read-only; each part is read at its first use. */
export interface Documentation extends BaseAndHead {
  /** By the path in the head: the path that the file had in the base. */
  readonly moves: ReadonlyMap<string, string>;
  /** The path in the base of the file that a file of the head was, or was copied from. */
  originOf(path: string): string;
  readSyntax: ReadSyntax;
  readOpenApi: ReadOpenApi;
}

/** The changes of a run so far, by path; null: removed. */
export type TextChanges = ReadonlyMap<string, string | null>;

/** After a change, only pages with new text, the configuration and the targets of links are read again. Pure. */
export function createDocumentation(options: {
  base: FileTree;
  head: FileTree;
  /** Time for parsing changed pages, per change. The rest is parsed at the next change. */
  maxParseMs?: number;
}): {
  with(changes: TextChanges): Documentation;
} {
  const { base, head, maxParseMs } = options;
  const pages = createPageReader();
  const syntax = createSyntaxReader({ maxMs: maxParseMs });
  const readOpenApi = createOpenApiReader();
  const before = createReading(base, pages.read);
  let last = before;
  let now = before;
  return {
    with(changes) {
      pages.startRound();
      syntax.startRound();
      const tree = applyChanges(head, changes);
      if (now.isWhole()) last = now;
      now = createReading(tree, pages.read, last);
      let moves: ReadonlyMap<string, string> | undefined;
      const listMoves = () => {
        moves ??= findMoves(base, tree);
        return moves;
      };
      return {
        base: before,
        head: now,
        readSyntax: syntax.read,
        readOpenApi,
        get moves() {
          return listMoves();
        },
        originOf: (path) =>
          base.paths.has(path) ? path : (listMoves().get(path) ?? findCopied(base, tree, path) ?? path),
      };
    },
  };
}

function applyChanges(tree: FileTree, changes: TextChanges): FileTree {
  if (changes.size === 0) return tree;
  const paths = new Set(tree.paths);
  for (const [path, text] of changes) {
    if (text === null) paths.delete(path);
    else paths.add(path);
  }
  return createTree({
    paths,
    read: (path) => (changes.has(path) ? (changes.get(path) ?? undefined) : tree.read(path)),
    identify: (path) => (changes.has(path) ? changes.get(path) : tree.identify(path)),
  });
}

import { otherPathspecs, prosePathspecs } from '../docs/page-extensions.ts';
import type { RawChange } from '../git/diffs.ts';
import type { InRepository } from '../git/git.ts';
import { grepFiles } from '../git/grep-files.ts';
import { readBlobs } from '../git/read-blobs.ts';
import { changeTree, readTree, type Tree } from '../git/tree.ts';
import { decodeText } from '../workspace/decode-text.ts';

const maxTextBytes = 2 * 1024 ** 2;
/** Words of a line that includes or quotes a file, in any framework. */
export const includeWords =
  'include|snippet|readfile|code_?-?sample|embed|-loader!|[?]raw|<<<|8<-|[{][*!]|(^|[^a-z])(file|src)[:=]';

/** The tree before the changes of the run, as guards read it. */
export interface BaseFiles {
  files: Tree['files'];
  /** Without the paths that are missing, not UTF-8 text, or longer than 2 MiB. */
  readTexts(paths: Iterable<string>): Promise<Map<string, string>>;
  /** Pages that contain a text within a line, in any letter case. */
  findPages(text: string): Promise<string[]>;
  /** Files other than pages that contain a text within a line. */
  findOthers(text: string): Promise<string[]>;
  /** The lines of pages that include or quote a file. */
  listIncludes(): Promise<{ path: string; line: string }[]>;
}

export function createBaseFiles(
  options: InRepository & {
    /** The commit or tree. */
    sha: string;
    tree: Tree;
  },
): BaseFiles {
  const { tree, sha, ...repository } = options;
  return {
    files: tree.files,
    async readTexts(paths) {
      const shas = new Map<string, string>();
      for (const path of paths) {
        const file = tree.files.get(path);
        if (file) shas.set(path, file.sha);
      }
      const blobs = await readBlobs({ ...repository, shas: shas.values(), maxBytes: maxTextBytes });
      const texts = new Map<string, string>();
      for (const [path, sha] of shas) {
        const bytes = blobs.get(sha);
        const text = bytes ? decodeText(bytes) : undefined;
        if (text !== undefined) texts.set(path, text);
      }
      return texts;
    },
    findPages: (text) => findFiles(['-i', '-F', '-e', text], prosePathspecs),
    findOthers: (text) => findFiles(['-F', '-e', text], otherPathspecs),
    async listIncludes() {
      const flags = ['-z', '-i', '-E', '-e', includeWords];
      const found = await grepFiles({ ...repository, sha }, flags, { pathspecs: prosePathspecs });
      return found.split('\n').flatMap((each) => {
        const [path, line] = each.split('\0');
        return path === undefined || line === undefined ? [] : [{ path: path.slice(sha.length + 1), line }];
      });
    },
  };

  async function findFiles(flags: readonly string[], pathspecs: readonly string[]): Promise<string[]> {
    const found = await grepFiles({ ...repository, sha }, ['-l', '-z', ...flags], { pathspecs });
    // git writes the name of the commit before each path.
    return found.split('\0').flatMap((name) => (name === '' ? [] : name.slice(sha.length + 1)));
  }
}

/** `sha`: a commit or a tree, without limits on its size: it has been checked out before. */
export async function readBaseFiles({ sha, ...repository }: InRepository & { sha: string }): Promise<BaseFiles> {
  return createBaseFiles({ ...repository, sha, tree: await readWhole({ ...repository, sha }) });
}

/** The files of the commit `to`, which differs from the commit `from` by `changes`. */
export async function readChangedFiles(
  options: InRepository & { from: string; to: string; changes: readonly RawChange[] },
): Promise<BaseFiles> {
  const { from, to, changes, ...repository } = options;
  const tree = changeTree(await readWhole({ ...repository, sha: from }), changes);
  return createBaseFiles({ ...repository, sha: to, tree });
}

const readWhole = (commit: InRepository & { sha: string }): Promise<Tree> =>
  readTree({ ...commit, maxFiles: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY });

export interface FileState {
  /** null: not UTF-8 text, or too large to read. */
  text: string | null;
  bytes: number;
  /** The git object name of the bytes. */
  sha: string;
  isExecutable: boolean;
}

/** One file before and after a run: the sum of its writes. */
export interface Change {
  /** Has passed `checkPath`. */
  path: string;
  /** null: the base has no such file. */
  before: FileState | null;
  /** null: removed. */
  after: FileState | null;
  base: BaseFiles;
}

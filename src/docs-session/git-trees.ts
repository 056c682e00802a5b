import { isRead, maxReadBytes, rankText } from '../docs/page-extensions.ts';
import { createTree, type FileTree } from '../docs/tree.ts';
import { type ListedFile, parseListing } from '../git/listing.ts';
import { parseObjects } from '../git/read-blobs.ts';

type Files = ReadonlyMap<string, ListedFile | undefined>;

/** For two commits together. Files beyond it are not read, so links to them are checked only by path. */
const maxTextBytes = 64 * 1024 ** 2;

/**
 * Makes trees from the output of git in two steps: `listings` → the objects to read → `trees`. The caller of git passes the bytes on
 * without parsing them.
 */
export function createGitTrees(listings: readonly Uint8Array[]) {
  const commits = listings.map(parseListing);
  const wanted = listWanted(commits);
  return {
    /** One SHA a line, as git takes it. */
    wanted: Buffer.from(wanted.map((sha) => `${sha}\n`).join('')),
    /** One tree for each listing. */
    createTrees(objects: Uint8Array): FileTree[] {
      const texts = createTexts(objects);
      return commits.map((files) =>
        createTree({
          paths: new Set(files.keys()),
          read: (path) => texts.read(files.get(path)?.sha),
          identify: (path) => files.get(path)?.sha,
        }),
      );
    },
  };
}

/** Pages first, then data, then code. */
function listWanted(commits: readonly Files[]): string[] {
  const sizes = new Map<string, number>();
  const files = commits
    .flatMap((commit) => [...commit])
    .filter((entry): entry is [string, ListedFile] => entry[1] !== undefined && isRead(entry[0]))
    .filter(([, { bytes }]) => bytes <= maxReadBytes);
  let left = maxTextBytes;
  for (const [, { sha, bytes }] of files.toSorted(([a], [b]) => rankText(a) - rankText(b))) {
    if (sizes.has(sha)) continue;
    left -= bytes;
    if (left < 0) break;
    sizes.set(sha, bytes);
  }
  return [...sizes.keys()];
}

/** Decodes a text when it is first read. */
function createTexts(output: Uint8Array) {
  const objects = parseObjects(output);
  const texts = new Map<string, string>();
  return {
    read(sha: string | undefined): string | undefined {
      const bytes = sha === undefined ? undefined : objects.get(sha);
      if (sha === undefined || bytes === undefined) return undefined;
      const text = texts.get(sha) ?? bytes.toString('utf8');
      texts.set(sha, text);
      return text;
    },
  };
}

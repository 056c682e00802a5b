import type { FileDiff } from '../file-diff.ts';

/** As `git diff` writes it: `git apply` takes it, unless patches were left out or files are binary. */
export const formatDiff = (files: readonly FileDiff[]): string => files.map(formatFile).join('');

function formatFile({ path, previousPath, status, additions, deletions, patch }: FileDiff): string {
  const before = quote(`a/${previousPath ?? path}`);
  const after = quote(`b/${path}`);
  const lines = [`diff --git ${before} ${after}`];
  if (status === 'added') lines.push('new file mode 100644');
  if (status === 'removed') lines.push('deleted file mode 100644');
  if (previousPath !== null && (status === 'renamed' || status === 'copied')) {
    const verb = status === 'renamed' ? 'rename' : 'copy';
    if (additions + deletions === 0) lines.push('similarity index 100%');
    lines.push(`${verb} from ${quote(previousPath)}`, `${verb} to ${quote(path)}`);
  }
  if (patch !== null) {
    lines.push(`--- ${status === 'added' ? '/dev/null' : before}`);
    lines.push(`+++ ${status === 'removed' ? '/dev/null' : after}`, patch);
  } else if (status === 'modified' && additions + deletions === 0)
    lines.push(`Binary files ${before} and ${after} differ`);
  return `${lines.join('\n')}\n`;
}

const escapes: Record<string, string> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r' };

/** https://git-scm.com/docs/git-config#Documentation/git-config.txt-corequotePath */
function quote(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: git quotes them.
  const quoted = path.replaceAll(/["\\\u0000-\u001f\u007f]/g, (letter) => escapes[letter] ?? toOctal(letter));
  return quoted === path ? path : `"${quoted}"`;
}

const toOctal = (letter: string) => `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`;

export interface Diff {
  files: FileDiff[];
  /** Patches or files are left out. */
  truncated: boolean;
}

/** An answer has at most so many, as text or as JSON. */
export const maxDiffBytes = 2_000_000;

/** Leaves out the patches, in order, that no longer fit, then files. */
export function boundDiff(all: readonly FileDiff[], maxBytes = maxDiffBytes): Diff {
  let leftBytes = maxBytes;
  const listed = all.filter((file) => {
    leftBytes -= sizeOf({ ...file, patch: null });
    return leftBytes >= 0;
  });
  leftBytes = Math.max(leftBytes, 0);
  const files = listed.map((file) => {
    const bytes = file.patch === null ? 0 : sizeOf(file) - sizeOf({ ...file, patch: null });
    if (bytes > leftBytes) return { ...file, patch: null };
    leftBytes -= bytes;
    return file;
  });
  const isCut = ({ patch, additions, deletions }: FileDiff) => patch === null && additions + deletions > 0;
  return { files, truncated: files.length < all.length || files.some(isCut) };
}

/** Counts the comma behind it. */
const sizeOf = (file: FileDiff) =>
  Math.max(Buffer.byteLength(JSON.stringify(file)) + 1, Buffer.byteLength(formatFile(file)));

import type { FileDiff } from '../file-diff.ts';

/** As `git diff` writes it: `git apply` takes it, unless patches were left out or files are binary. */
export const formatDiff = (files: readonly FileDiff[]): string => files.map(formatFile).join('');

export function formatFile({ path, previousPath, status, additions, deletions, patch }: FileDiff): string {
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

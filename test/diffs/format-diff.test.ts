import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundDiff, formatDiff } from '../../src/diffs/format-diff.ts';
import type { FileDiff } from '../../src/file-diff.ts';

const file = (change: Partial<FileDiff> = {}): FileDiff => ({
  path: 'docs/a.md',
  previousPath: null,
  status: 'modified',
  additions: 1,
  deletions: 1,
  patch: '@@ -1 +1 @@\n-60\n+100',
  ...change,
});

describe('the text of a change', () => {
  test.each<[string, FileDiff, string]>([
    [
      'a changed file',
      file(),
      'diff --git a/docs/a.md b/docs/a.md\n--- a/docs/a.md\n+++ b/docs/a.md\n@@ -1 +1 @@\n-60\n+100\n',
    ],
    [
      'a new file',
      file({ status: 'added', deletions: 0, patch: '@@ -0,0 +1 @@\n+x' }),
      'diff --git a/docs/a.md b/docs/a.md\nnew file mode 100644\n--- /dev/null\n+++ b/docs/a.md\n@@ -0,0 +1 @@\n+x\n',
    ],
    [
      'a removed file',
      file({ status: 'removed', additions: 0, patch: '@@ -1 +0,0 @@\n-x' }),
      'diff --git a/docs/a.md b/docs/a.md\ndeleted file mode 100644\n--- a/docs/a.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n',
    ],
    [
      'a renamed file',
      file({ status: 'renamed', previousPath: 'b.md', additions: 0, deletions: 0, patch: null }),
      'diff --git a/b.md b/docs/a.md\nsimilarity index 100%\nrename from b.md\nrename to docs/a.md\n',
    ],
    [
      'a binary file',
      file({ path: 'a.png', additions: 0, deletions: 0, patch: null }),
      'diff --git a/a.png b/a.png\nBinary files a/a.png and b/a.png differ\n',
    ],
    [
      'a name that git quotes',
      file({ path: 'a"\n\u0001.md', patch: null }),
      'diff --git "a/a\\"\\n\\001.md" "b/a\\"\\n\\001.md"\n',
    ],
  ])('of %s is git’s', (_name, changed, text) => {
    expect(formatDiff([changed])).toBe(text);
  });
});

describe('a long change', () => {
  test('keeps the patches that fit, and says that others are left out', () => {
    const long = file({ path: 'long.md', patch: 'x'.repeat(900) });
    const { files, truncated } = boundDiff([long, file({ path: 'b.md', patch: 'y'.repeat(2_000) }), file()], 2_000);
    expect(files.map(({ path, patch }) => [path, patch?.length ?? null])).toEqual([
      ['long.md', 900],
      ['b.md', null],
      ['docs/a.md', file().patch?.length],
    ]);
    expect(truncated).toBe(true);
  });

  test('that fits is whole', () => {
    const binary = file({ path: 'a.png', additions: 0, deletions: 0, patch: null });
    expect(boundDiff([file(), binary])).toEqual({ files: [file(), binary], truncated: false });
  });

  test('whose patch GitHub left out is truncated', () => {
    expect(boundDiff([file({ patch: null })]).truncated).toBe(true);
  });

  test('never exceeds the limit, as text or as JSON', () => {
    const anyFile = fc.record({
      path: fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
      patch: fc.option(fc.string({ unit: 'binary', maxLength: 400 })),
    });
    fc.assert(
      fc.property(fc.array(anyFile, { maxLength: 12 }), fc.integer({ min: 0, max: 3_000 }), (changes, maxBytes) => {
        const diff = boundDiff(changes.map(file), maxBytes);
        expect(Buffer.byteLength(formatDiff(diff.files))).toBeLessThanOrEqual(maxBytes);
        expect(Buffer.byteLength(JSON.stringify(diff.files))).toBeLessThanOrEqual(maxBytes + 2);
      }),
    );
  });
});

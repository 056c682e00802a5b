import { isProse } from '../../src/docs/page-extensions.ts';
import { isPlain, type RawChange, readRawDiff } from '../../src/git/diffs.ts';
import { createGit, type InRepository } from '../../src/git/git.ts';
import { readBlobs } from '../../src/git/read-blobs.ts';
import { readBaseFiles } from '../../src/policy/base-files.ts';
import { createForeignReaders } from '../../src/policy/judge/foreign-readers.ts';
import { createPolicy } from '../../src/policy/policy.ts';
import { createThreads } from '../../src/threads/threads.ts';
import { decodeText } from '../../src/workspace/decode-text.ts';
import type { Figure } from '../figures/figure.ts';

const maxBytes = 32 * 1024 ** 2;
const mostRefused = 0.01;

/** The share of the page edits in real commits that the policy refuses, by reason. `repo`: a git directory. */
export async function benchRefusals({
  repo,
  commits,
}: {
  repo: string | undefined;
  commits: number;
}): Promise<Figure[]> {
  if (repo === undefined) return [{ what: 'page edits refused', measured: 'skipped: name a git directory by --repo' }];
  await using cleanup = new AsyncDisposableStack();
  const threads = createThreads();
  cleanup.defer(threads.close);
  const { signal } = new AbortController();
  const repository: InRepository = { git: createGit({ allowHttp: false }), gitDir: repo, signal };
  const readers = createForeignReaders((task, input) => threads.run(task, input, { signal }));
  const listed = await repository.git(['log', '--no-merges', '--format=%H %P', `-${commits}`], {
    gitDir: repo,
    signal,
  });
  const reasons = new Map<string, number>();
  let edits = 0;
  let refused = 0;
  for (const line of listed.stdout.toString().trim().split('\n')) {
    const [sha = '', parent] = line.split(' ');
    if (parent === undefined) continue;
    for (const { path, refusal } of await playCommit(repository, { from: parent, to: sha, readers })) {
      edits += 1;
      if (refusal === undefined) continue;
      refused += 1;
      const reason = nameReason(refusal, path);
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      console.error(`  ${sha.slice(0, 8)} ${refusal.slice(0, 300)}`);
    }
  }
  return [
    {
      what: 'page edits refused',
      measured: `${refused} of ${edits}`,
      goal: { text: `< ${mostRefused * 100} %`, isMet: refused <= edits * mostRefused },
    },
    ...[...reasons].map(([what, count]) => ({ what, measured: String(count) })),
  ];
}

async function playCommit(
  repository: InRepository,
  { from, to, readers }: { from: string; to: string; readers: ReturnType<typeof createForeignReaders> },
): Promise<{ path: string; refusal: string | undefined }[]> {
  const { changes } = await readRawDiff({ ...repository, from, to });
  const edited = changes.filter(({ path, newMode }) => isProse(path) && isPlain(newMode));
  if (edited.length === 0) return [];
  const policy = await createPolicy({ base: await readBaseFiles({ ...repository, sha: from }), rules: { readers } });
  const shas = edited.flatMap(({ oldMode, oldSha, newSha }) => [newSha, ...(isPlain(oldMode) ? [oldSha] : [])]);
  const blobs = await readBlobs({ ...repository, shas, maxBytes });
  const played: { path: string; refusal: string | undefined }[] = [];
  for (const change of edited) {
    if (policy.isProtected(change.path)) continue;
    const before = readState(change.oldMode, change.oldSha);
    // The agent changes no mode.
    const after = readState(isPlain(change.oldMode) ? change.oldMode : '100644', change.newSha);
    played.push({ path: change.path, refusal: await policy.findRefusal({ path: change.path, before, after }) });
  }
  return played;

  function readState(mode: RawChange['oldMode'], sha: string) {
    const bytes = isPlain(mode) ? blobs.get(sha) : undefined;
    if (!bytes) return null;
    return { text: decodeText(bytes) ?? null, bytes: bytes.length, sha, isExecutable: mode === '100755' };
  }
}

/** Without what differs from page to page. */
const nameReason = (refusal: string, path: string): string =>
  [...refusal.matchAll(/it would ([^:;]{1,80}):/g)].map(([, what]) => what).join('; ') ||
  refusal.replaceAll(path, 'the page').slice(0, 80);

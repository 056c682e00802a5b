import type { Checked } from '../docs/check-change.ts';
import { isRead, maxReadBytes } from '../docs/page-extensions.ts';
import type { ProblemKind } from '../docs/problem-kinds.ts';
import type { Questions } from '../docs/questions/questions.ts';
import type { Git } from '../git/git.ts';
import { readListing } from '../git/listing.ts';
import { readObjects } from '../git/read-blobs.ts';
import { type Threads, ThreadsBusy } from '../threads/threads.ts';
import type { Changes, DocsRequest } from './docs-thread.ts';

/**
 * The documentation of one run: its base, and its head as edited so far, in a separate thread. `changes` are all differences from the head's
 * commit at this moment, as `Workspace.writes()` returns them.
 */
export interface Docs extends AsyncDisposable {
  /**
   * The problems that the change has brought so far; with `all`, every problem. Undefined, with one line in the log, where that took too long or failed. After three failures in a row
   * no question has an answer.
   */
  check(changes: Changes, options: { signal: AbortSignal; all?: boolean }): Promise<Checked | undefined>;
  /** One of `docs/questions/questions.ts`. Undefined as for `check`. Throws the signal's reason. */
  ask<Name extends keyof Questions>(
    question: Name,
    input: Questions[Name]['input'],
    changes: Changes,
    options: { signal: AbortSignal },
  ): Promise<Questions[Name]['answer'] | undefined>;
}

/** Only threads load its code. */
const documentation = {
  module: import.meta.resolve('./docs-thread.ts'),
  name: 'openDocumentation' satisfies keyof typeof import('./docs-thread.ts'),
};

/**
 * `base`: the commit where the pull request begins, the merge base of its branch and its target. `head`: the commit that the run's changes
 * are applied to, `Base.filesSha`. Nothing is read before the first question.
 */
export function openDocs({
  threads,
  git,
  gitDir,
  base,
  head,
  owner,
  checksOff = [],
  log,
}: {
  threads: { openSession: Threads['openSession'] };
  git: Git;
  gitDir: string;
  base: string;
  head: string;
  /** The run's id. */
  owner: string;
  /** Kinds of problems that the repository's settings turn off. */
  checksOff?: readonly ProblemKind[];
  log: { warn(fields: object, message: string): void };
}): Docs {
  const session = threads.openSession<DocsRequest>({
    session: documentation,
    owner,
    async prepare(send, signal) {
      const repository = { git, gitDir, signal };
      const commits = [...new Set([base, head])];
      const listings = await Promise.all(commits.map((sha) => readListing({ ...repository, sha })));
      const shas = await send<Uint8Array>({ kind: 'listings', listings }, { transfer: listings.flatMap(findOwned) });
      const objects = await readObjects({ ...repository, shas });
      await send({ kind: 'objects', objects }, { transfer: findOwned(objects) });
    },
  });

  let failures = 0;
  const ask: Docs['ask'] = async <Name extends keyof Questions>(
    question: Name,
    input: Questions[Name]['input'],
    changes: Changes,
    { signal }: { signal: AbortSignal },
  ) => {
    if (failures >= maxFailures) return undefined;
    try {
      const request = { kind: 'question' as const, question, input, changes: withoutUnread(changes) };
      const answer = await session.ask<Questions[Name]['answer']>(request, signal);
      failures = 0;
      return answer;
    } catch (error) {
      signal.throwIfAborted();
      // Other runs use all threads: nothing is wrong with this documentation.
      if (!(error instanceof ThreadsBusy)) failures += 1;
      const isLast = failures >= maxFailures;
      const failed = 'could not read the documentation';
      log.warn({ err: error, question }, isLast ? `${failed}, and does not try again in this run` : failed);
      return undefined;
    }
  };

  return {
    ask,
    check: (changes, { all = false, signal }) => ask('check', { all, off: checksOff }, changes, { signal }),
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  };
}

/** In a row: each may take the time of a whole question. */
const maxFailures = 3;

/** For other files only the path counts. */
const withoutUnread = (changes: Changes): Changes =>
  new Map(
    Array.from(changes, ([path, bytes]) => {
      const isText = bytes === null || (isRead(path) && bytes.length <= maxReadBytes);
      return [path, isText ? bytes : new Uint8Array()] as const;
    }),
  );

/** A small buffer is a part of a shared one. */
const findOwned = ({ buffer, byteLength }: Uint8Array): ArrayBuffer[] =>
  buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];

// The thread's half of `openDocs`.
import { createDocumentation, type TextChanges } from '../docs/documentation.ts';
import { answerQuestion, type Questions } from '../docs/questions/questions.ts';
import { realTiming } from '../timing.ts';
import { createGitTrees } from './git-trees.ts';

/** By path; null: removed. */
export type Changes = ReadonlyMap<string, Uint8Array | null>;

export type DocsRequest =
  /** The base's, and the head's where it is another commit. Answered by the objects to read. */
  | { kind: 'listings'; listings: readonly Uint8Array[] }
  | { kind: 'objects'; objects: Uint8Array }
  | { kind: 'question'; question: keyof Questions; input: Questions[keyof Questions]['input']; changes: Changes };

/** Half of the time of a question: the other half is for reading both states of a large repository. */
const maxParseMs = realTiming.threads.sessionRequestMs / 2;

export function openDocumentation(): (request: DocsRequest) => unknown {
  let commits: ReturnType<typeof createGitTrees> | undefined;
  let documentation: ReturnType<typeof createDocumentation> | undefined;
  return (request) => {
    switch (request.kind) {
      case 'listings':
        commits = createGitTrees(request.listings);
        return commits.wanted;
      case 'objects': {
        const [base, head = base] = commits?.createTrees(request.objects) ?? [];
        if (base === undefined || head === undefined) throw new Error('objects came before their listings');
        documentation = createDocumentation({ base, head, maxParseMs });
        return undefined;
      }
      case 'question':
        if (documentation === undefined) throw new Error('a question came before the trees');
        return answerQuestion(documentation.with(decode(request.changes)), request.question, request.input);
    }
  };
}

const decode = (changes: Changes): TextChanges =>
  new Map(
    Array.from(
      changes,
      ([path, bytes]) => [path, bytes === null ? null : Buffer.from(bytes).toString('utf8')] as const,
    ),
  );

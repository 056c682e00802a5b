import { createDocumentation } from '../../src/docs/documentation.ts';
import { answerQuestion } from '../../src/docs/questions/questions.ts';
import { createTree } from '../../src/docs/tree.ts';
import type { Docs } from '../../src/docs-session/docs.ts';
import type { Entry } from '../workspace/world.ts';

/** The documentation of these files, in the test's own thread. */
export function createInlineDocs(entries: Record<string, Entry>): Docs {
  const read = (path: string) => {
    const entry = entries[path];
    return typeof entry === 'string' ? entry : undefined;
  };
  const base = createTree({ paths: new Set(Object.keys(entries)), read });
  const documentation = createDocumentation({ base, head: base });
  const decode = (bytes: Uint8Array | null) => (bytes === null ? null : Buffer.from(bytes).toString());
  const ask: Docs['ask'] = async (question, input, changes) => {
    const texts = new Map(Array.from(changes, ([path, bytes]) => [path, decode(bytes)] as const));
    return answerQuestion(documentation.with(texts), question, input);
  };
  return {
    ask,
    check: (changes, { all = false, signal }) => ask('check', { all }, changes, { signal }),
    async [Symbol.asyncDispose]() {},
  };
}

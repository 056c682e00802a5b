import { type PageSyntax, readSyntax } from './read-syntax.ts';

export type ReadSyntax = typeof readSyntax;

/** Reads equal texts once. Keeps those of the round before: a long page takes seconds. */
export function createSyntaxReader(): { read: ReadSyntax; startRound(): void } {
  let known = new Map<string, PageSyntax>();
  let before = new Map<string, PageSyntax>();
  return {
    read(text, reader) {
      const key = `${reader.framework} ${reader.isMdx} ${text}`;
      const syntax = known.get(key) ?? before.get(key) ?? readSyntax(text, reader);
      known.set(key, syntax);
      return syntax;
    },
    startRound() {
      before = known;
      known = new Map();
    },
  };
}

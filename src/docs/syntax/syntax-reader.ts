import { type PageSyntax, readSyntax } from './read-syntax.ts';

/** Undefined: no time was left. */
export type ReadSyntax = (...page: Parameters<typeof readSyntax>) => PageSyntax | undefined;

/**
 * Reads equal texts once, and keeps each for two rounds: a long page takes seconds. A round has `maxMs` on a processor for new texts; a text that would
 * take longer, at the pace of the others, is left for the next round.
 */
export function createSyntaxReader(options: { maxMs?: number | undefined; now?: () => number } = {}): {
  read: ReadSyntax;
  startRound(): void;
} {
  const { maxMs = Number.POSITIVE_INFINITY, now = readCpuMs } = options;
  let known = new Map<string, PageSyntax>();
  let before = new Map<string, PageSyntax>();
  let [spentMs, characters] = [0, 0];

  function readInTime(...[text, reader]: Parameters<typeof readSyntax>): PageSyntax | undefined {
    const expectedMs = characters === 0 ? 0 : (spentMs / characters) * text.length;
    if (spentMs + expectedMs > maxMs) return undefined;
    const start = now();
    const syntax = readSyntax(text, reader);
    spentMs += now() - start;
    characters += text.length;
    return syntax;
  }

  return {
    read(text, reader) {
      const key = `${reader.framework.name} ${reader.isMdx} ${reader.hasMath ?? false} ${reader.format} ${text}`;
      const syntax = known.get(key) ?? before.get(key) ?? readInTime(text, reader);
      if (syntax !== undefined) known.set(key, syntax);
      return syntax;
    },
    startRound() {
      before = known;
      known = new Map();
      [spentMs, characters] = [0, 0];
    },
  };
}

function readCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

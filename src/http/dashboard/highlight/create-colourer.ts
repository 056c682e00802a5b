import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { RunTask } from '../../../threads/threads.ts';
import { type CodeText, type ColouredLine, colourTask } from './colour-texts.ts';

const mostCharacters = 300_000;
const mostRemembered = 2_000;
/** A page does not wait longer. The colours are there when it is read again. */
const pageWaitsMs = 250;
const giveUpMs = 10_000;

/** By text, in its order; undefined: none, or not yet. */
export interface Colours {
  lines: (ColouredLine[] | undefined)[];
  /** Whether they may be there a moment later. */
  isLate: boolean;
}

export type Colour = (texts: readonly (CodeText | undefined)[]) => Promise<Colours>;

/** Colours texts in a thread, and remembers them. Never throws: without colours, a text is as readable. */
export function createColourer({ runTask, waitsMs = pageWaitsMs }: { runTask: RunTask; waitsMs?: number }): Colour {
  const known = new LRUCache<string, ColouredLine[]>({ max: mostRemembered });
  const coming = new Set<string>();

  return async (texts) => {
    const keys = texts.map((text) => text && hash(text));
    const fresh = new Map<string, CodeText>();
    let left = mostCharacters;
    for (const [index, text] of texts.entries()) {
      const key = keys[index];
      if (!text || key === undefined || known.has(key) || coming.has(key)) continue;
      left -= text.text.length;
      if (left >= 0) fresh.set(key, text);
    }
    if (fresh.size > 0) await Promise.race([colour(fresh), wait(waitsMs)]);
    return {
      lines: keys.map((key) => (key === undefined ? undefined : known.get(key))),
      isLate: keys.some((key) => key !== undefined && coming.has(key)),
    };
  };

  async function colour(texts: ReadonlyMap<string, CodeText>): Promise<void> {
    for (const key of texts.keys()) coming.add(key);
    try {
      const coloured = await runTask(colourTask, [...texts.values()], AbortSignal.timeout(giveUpMs));
      for (const [index, key] of [...texts.keys()].entries()) known.set(key, coloured[index] ?? []);
    } catch {
      // Too long or too hard to read: it is not tried again.
      for (const key of texts.keys()) known.set(key, []);
    } finally {
      for (const key of texts.keys()) coming.delete(key);
    }
  }
}

const hash = ({ language, text }: CodeText) =>
  createHash('sha256').update(`${language}\n${text}`).digest('base64url').slice(0, 22);

const wait = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms).unref();
  });

import { bound } from './bound.ts';

/** Cuts a text, and then quiets it. The other way round, a cut through one of the comments that quiet it would hide all that follows. */
export function boundQuieted(text: string, maxLength: number, quieten: (text: string) => string): string {
  for (let room = maxLength; ; room = Math.floor(room / 2)) {
    const quieted = quieten(bound(text.trim(), room)).trim();
    if (quieted.length <= maxLength) return quieted;
  }
}

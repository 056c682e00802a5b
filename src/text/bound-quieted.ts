import { bound } from './bound.ts';

/** Cut before it is quieted: a cut through one of the comments that quiet a text would hide all that follows it. */
export function boundQuieted(text: string, maxLength: number, quieten: (text: string) => string): string {
  for (let room = maxLength; ; room = Math.floor(room / 2)) {
    const quieted = quieten(bound(text.trim(), room)).trim();
    if (quieted.length <= maxLength) return quieted;
  }
}

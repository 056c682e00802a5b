import { withoutInvisible } from './invisible.ts';

/** Linear time. The result contains nothing that can hide text. */
export function withoutMarkup(text: string): string {
  return withoutInvisible(text)
    .replace(/<[^>]*>?/g, '')
    .replace(/\]\([^)\n]*\)?/g, ']')
    .replace(/[![\]]/g, '');
}

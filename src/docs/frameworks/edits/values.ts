// Values that may be new, for keys that are not harmless with every value.

export const isRedirectStatus = (value: unknown): boolean =>
  [301, 302, 303, 307, 308, 404, 410].includes(Number(value));

export const isName = (value: unknown): boolean =>
  typeof value === 'string' && /^[\w ./:-]*$/.test(value) && !/:\/\//.test(value);

export const isPath = (value: unknown): boolean => typeof value === 'string' && !/^[a-z]+:|^[\\/]{2}/i.test(value);

export const isColor = (value: unknown): boolean => /^#[\da-f]{3,8}$/i.test(String(value));

export const oneOf = (words: string) => {
  const allowed = new Set(words.split(' '));
  return (value: unknown): boolean => typeof value === 'string' && allowed.has(value);
};

export const isTarget = oneOf('_self _blank _parent _top');

/** A pattern that VitePress and Docusaurus make a regular expression of: nothing that can repeat a repetition. */
export const isPattern = (value: unknown): boolean => typeof value === 'string' && /^\^?[\w/.|:-]*\$?$/.test(value);

/** A pattern that a server tries on every request: no group that repeats stands in another one. No request leads out of its folder. */
export function isSource(value: unknown): boolean {
  if (typeof value !== 'string' || !isPath(value) || value.split(/[/?#]/).includes('..')) return false;
  let depth = 0;
  for (const [at, character] of value.split('').entries()) {
    if (character === '(') depth += 1;
    if (character !== ')') continue;
    if (depth > 1 && /[*+{]/.test(value[at + 1] ?? '')) return false;
    depth -= 1;
  }
  return true;
}

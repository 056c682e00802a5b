/**
 * Whether a pattern with wildcards, each of which stands for any number of items, matches all that is given. Takes pattern × given steps at
 * worst: it only ever goes back to the last wildcard, because later wildcards make earlier ones' choices irrelevant. `step` is called
 * before each; when it returns false, nothing matches any more. https://research.swtch.com/glob
 */
export function matchWild<Part, Item>({
  pattern,
  given,
  isWild,
  matches,
  step = () => true,
}: {
  pattern: readonly Part[];
  given: readonly Item[];
  isWild: (part: Part) => boolean;
  matches: (part: Part, item: Item) => boolean;
  step?: () => boolean;
}): boolean {
  let at = 0;
  let next = 0;
  let lastWild = -1;
  let retryFrom = 0;
  while (next < given.length) {
    if (!step()) {
      return false;
    }
    const part = pattern[at];
    const item = given[next];
    if (part !== undefined && isWild(part)) {
      lastWild = at;
      retryFrom = next;
      at += 1;
    } else if (part !== undefined && item !== undefined && matches(part, item)) {
      at += 1;
      next += 1;
    } else if (lastWild !== -1) {
      retryFrom += 1;
      next = retryFrom;
      at = lastWild + 1;
    } else {
      return false;
    }
  }
  return pattern.slice(at).every(isWild);
}

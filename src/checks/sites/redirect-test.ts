/** Patterns of Mintlify, Netlify, Vercel and Next: `:name`, `:rest*`, `(a|b)` and `*` stand for something. */
export function createRedirectTest(sources: Iterable<string>): (address: string) => boolean {
  const exact = new Set<string>();
  const prefixes: string[] = [];
  for (const source of sources) {
    const wild = source.search(/[:*(]/);
    if (wild < 0) exact.add(trim(source));
    // A rule for everything excuses nothing.
    else if (source.slice(0, wild).split('/').filter(Boolean).length > 0) prefixes.push(source.slice(0, wild));
  }
  return (address) => exact.has(trim(address)) || prefixes.some((prefix) => address.startsWith(prefix));
}

const trim = (address: string) => address.replace(/(?<=.)\/$/, '');

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tryChange } from '../try-change.ts';

const path = 'next/next.config.mjs';
const nextra = `import nextra from 'nextra'

const withNextra = nextra({ defaultShowCopyCode: true })

export default withNextra({
  reactStrictMode: true,
})
`;
const named = `import { createMDX } from 'fumadocs-mdx/next';

const withMDX = createMDX();

/** @type {import('next').NextConfig} */
const config = {
  reactStrictMode: true,
};

export default withMDX(config);
`;
const entry = "{ source: '/old', destination: '/new', permanent: true }";
const form = `async redirects() {\n    return [${entry}];\n  }`;

const add = (member: string, base = nextra, at = path) =>
  tryChange(
    { 'next/package.json': '{"dependencies":{"nextra":"4"}}', [at]: base },
    at,
    base.replace('reactStrictMode: true,', `reactStrictMode: true,\n  ${member},`),
  );

test.each<[name: string, base: string, at: string]>([
  ['in a wrapper', nextra, path],
  ['in a constant', named, path],
  ['in CommonJS', 'module.exports = {\n  reactStrictMode: true,\n};\n', 'next/next.config.js'],
  ['in TypeScript', named.replace('const config =', 'const config: NextConfig ='), 'next/next.config.ts'],
])('redirects of Next are added as its own method %s', async (_name, base, at) => {
  expect(await add(form, base, at)).toBeUndefined();
  expect(await add(`async redirects() { return [${entry}, ${entry}] }`, base, at)).toBeUndefined();
});

test('the refusal says how redirects are added', async () => {
  expect(await add(`redirects: [${entry}]`)).toMatch(/async redirects\(\) \{ return \[ … \] \}/);
});

/** The form, with one thing else. */
const others: readonly string[] = [
  ...[
    `redirects: [${entry}]`,
    `redirects: async () => [${entry}]`,
    `redirects: async function () { return [${entry}] }`,
  ],
  ...[
    `redirects() { return [${entry}] }`,
    `get redirects() { return [${entry}] }`,
    `set redirects(x) { return [${entry}] }`,
  ],
  ...[`async *redirects() { return [${entry}] }`, `*redirects() { return [${entry}] }`],
  ...[`async ['redirects']() { return [${entry}] }`, `async redirect\\u0073() { return [${entry}] }`],
  ...[`async redirects(x) { return [${entry}] }`, `async redirects(x = f()) { return [${entry}] }`],
  ...[`async redirects(...x) { return [${entry}] }`, `async redirects({ x }) { return [${entry}] }`],
  ...[`async redirects() { 'use server'; return [${entry}] }`, `async redirects() { f(); return [${entry}] }`],
  ...[`async redirects() { return [${entry}]; f() }`, `async redirects() { ; return [${entry}] }`],
  ...[`async redirects() { if (x) return [${entry}] }`, `async redirects() { { return [${entry}] } }`],
  ...[`async redirects() { return ([${entry}]) }`, `async redirects() { return await [${entry}] }`],
  ...[`async redirects() { return f(), [${entry}] }`, `async redirects() { return x ? [${entry}] : [] }`],
  ...[`async redirects() { return [${entry}].concat(x) }`, `async redirects() { return f([${entry}]) }`],
  ...[`async redirects() { return ${entry} }`, 'async redirects() {}', 'async redirects() { return }'],
  ...[`async rewrites() { return [${entry}] }`, `async headers() { return [${entry}] }`],
  ...[`async redirects() { return [...x, ${entry}] }`, `async redirects() { return [, ${entry}] }`],
];

test.each(others)('promise 32: redirects are not added as %s', async (member) => {
  expect(await add(member)).toBeDefined();
  expect(await add(member, named)).toBeDefined();
});

const value = fc.constantFrom(
  ...[
    'f()',
    'await f()',
    'process.env.X',
    '`${'.concat('x}`'),
    'x',
    '() => 1',
    '1n',
    '/x/',
    'new F()',
    "import('x')",
    '"a" + "b"',
  ],
  ...["'javascript:alert(1)'", "'//evil.example'", "'data:text/html,x'", "('x')", 'true ? "/a" : "/b"'],
);
const place = fc.constantFrom<(text: string) => string>(
  (text) => `{ source: '/a', destination: ${text} }`,
  (text) => `{ source: ${text}, destination: '/a' }`,
  (text) => `{ source: '/a', destination: '/b', permanent: ${text} }`,
  (text) => `{ source: '/a', destination: '/b', has: [{ type: 'header', key: ${text} }] }`,
  (text) => `{ source: '/a', destination: '/b', [${text}]: true }`,
  (text) => `{ source: '/a', ...${text} }`,
  (text) => `{ source: '/a', get destination() { return ${text} } }`,
  (text) => `...[${text}]`,
  (text) => `{ source: '/a', destination: '/b', webpack: ${text} }`,
);

test('promise 32: an added redirect holds nothing that runs or leads astray', async () => {
  await fc.assert(
    fc.asyncProperty(place, value, fc.boolean(), async (write, text, isFirst) => {
      const entries = isFirst ? `${write(text)}, ${entry}` : `${entry}, ${write(text)}`;
      expect(await add(`async redirects() { return [${entries}] }`)).toBeDefined();
    }),
    { numRuns: 300 },
  );
});

test.each(['../../etc/passwd', '/a/../b', '..'])('promise 32: a redirect from %s is refused', async (source) => {
  expect(await add(`async redirects() { return [{ source: '${source}', destination: '/a' }, ${entry}] }`)).toMatch(
    /source/,
  );
});

const pieces = ['async', 'redirects', '(', ')', '{', 'return', '[', entry, ']', ';', '}'];
const extra = fc.constantFrom(
  ...[
    'async',
    '*',
    'get',
    'x',
    '(',
    ')',
    '{',
    '}',
    '[',
    ']',
    ',',
    ';',
    '...',
    '=>',
    'return',
    'await',
    'f()',
    "'use x';",
  ],
  ...['static', '#', ':', '?', '!', 'as any', ': any', '<T>', '@x', '/**/', entry, `,${entry}`],
);

/** What still is the form: comments, commas and semicolons. */
const isForm = (member: string) =>
  new RegExp(
    `^async redirects \\( \\) \\{ return \\[ (?:${entryPattern}(?: ?,? ?${entryPattern})* ?,?)? ?\\] ;? ?\\}$`,
  ).test(
    member
      .replaceAll('/**/', ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/ ?, ?\}?$/, (end) => end.replace(',', '').trim()),
  );
const entryPattern = RegExp.escape(entry);

test('promise 32: of what is next to the form, only the form is accepted', async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(pieces.length),
      fc.constantFrom(0, 0, 1),
      fc.oneof(extra, fc.constant('')),
      async (at, cut, text) => {
        const member = [...pieces.slice(0, at), text, ...pieces.slice(at + cut)].filter(Boolean).join(' ');
        if ((await add(member)) !== undefined) return;
        accepted += 1;
        expect({ member, isForm: isForm(member) }).toEqual({ member, isForm: true });
      },
    ),
    { numRuns: 600 },
  );
  expect(accepted).toBeGreaterThan(10);
});

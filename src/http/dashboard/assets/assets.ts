import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RequestHandler } from 'express';
import { createStaticAnswer } from '../../pages/create-static-answer.ts';

const types: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

const read = (name: string) => readFileSync(join(import.meta.dirname, name));

/** In this order: later ones refine earlier ones. */
const styles = [
  'base',
  'frame',
  'controls',
  'notices',
  'cards',
  'tables',
  'jobs',
  'job',
  'conversation',
  'changes',
  'preview',
  'palette',
];

/** Modules that import each other by name. `dashboard` is the first. */
const scripts = ['changes', 'dashboard', 'follow', 'forms', 'morph', 'notify', 'palette', 'times', 'views'];

/** The package has a small file without exports and a large one with them. */
const idiomorph = Buffer.concat([
  readFileSync(fileURLToPath(import.meta.resolve('idiomorph/dist/idiomorph.min.js'))),
  Buffer.from('\nexport { Idiomorph };\n'),
]);

const icon = read('icon.svg');
/** The icon of the browser's tab tells what a job does, or wants of people. */
const signs = { working: '#8ea2ff', ready: '#e3a008', failed: '#e5484d' };
const addSign = (colour: string) =>
  Buffer.from(
    icon
      .toString()
      .replace('</svg>', `<circle cx="24" cy="24" r="8" fill="${colour}" stroke="#fff" stroke-width="2.5"/></svg>`),
  );

/** Files that stand in one folder: each may name the others. */
const folders: [name: string, bytes: Buffer][][] = [
  // One file: a page waits for a single request, and never moves when styles arrive.
  [['dashboard.css', Buffer.concat(styles.map((name) => read(`styles/${name}.css`)))]],
  [...scripts.map((name): [string, Buffer] => [`${name}.js`, read(`scripts/${name}.js`)]), ['idiomorph.js', idiomorph]],
  [
    ['icon.svg', icon],
    ...Object.entries(signs).map(([name, colour]): [string, Buffer] => [`icon-${name}.svg`, addSign(colour)]),
  ],
];

/** A file for browsers. Its address holds the hash of its folder, so it may be kept forever. */
interface Asset {
  path: string;
  serve: RequestHandler;
}

const headers = { 'Cache-Control': 'public, max-age=31536000, immutable' };

const assets = new Map(
  folders.flatMap((files) => {
    const hash = createHash('sha256');
    for (const [, bytes] of files) hash.update(bytes);
    const folder = `/assets/${hash.digest('hex').slice(0, 16)}`;
    return files.map(([name, body]): [string, Asset] => {
      const type = types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
      return [name, { path: `${folder}/${name}`, serve: createStaticAnswer({ type, body, headers }) }];
    });
  }),
);
const byPath = new Map([...assets.values()].map((asset) => [asset.path, asset]));

/** The address of a file. Throws if there is none with that name. */
export function findAsset(name: string): string {
  const asset = assets.get(name);
  if (!asset) throw new Error(`there is no asset ${name}`);
  return asset.path;
}

/** The modules that `dashboard.js` imports: a browser asks for all of them at once. */
export const listModules = (): string[] =>
  [...assets.values()].filter(({ path }) => path.endsWith('.js')).map(({ path }) => path);

export const serveAssets: RequestHandler = (request, response, next) => {
  const asset = byPath.get(request.path);
  return asset ? asset.serve(request, response, next) : next();
};

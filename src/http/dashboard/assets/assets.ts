import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { RequestHandler } from 'express';

const types: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

const read = (name: string) => readFileSync(join(import.meta.dirname, name));

/** In this order: later ones refine earlier ones. */
const styles = ['base', 'frame', 'controls', 'notices', 'cards', 'tables', 'job', 'conversation', 'changes'];

const files: [name: string, bytes: Buffer][] = [
  // One file: a page waits for a single request, and never moves when styles arrive.
  ['dashboard.css', Buffer.concat(styles.map((name) => read(`styles/${name}.css`)))],
  ['dashboard.js', read('dashboard.js')],
  ['icon.svg', read('icon.svg')],
];

/** A file for browsers. Its address holds the hash of its content, so it may be kept forever. */
interface Asset {
  path: string;
  type: string;
  bytes: Buffer;
  gzipped: Buffer;
}

const assets = new Map(
  files.map(([name, bytes]): [string, Asset] => {
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
    const type = types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
    return [name, { path: `/assets/${hash}/${name}`, type, bytes, gzipped: gzipSync(bytes) }];
  }),
);
const byPath = new Map([...assets.values()].map((asset) => [asset.path, asset]));

/** The address of a file. Throws if there is none with that name. */
export function findAsset(name: string): string {
  const asset = assets.get(name);
  if (!asset) throw new Error(`there is no asset ${name}`);
  return asset.path;
}

export const serveAssets: RequestHandler = ({ path, headers }, response, next) => {
  const asset = byPath.get(path);
  if (!asset) return next();
  const isGzipped = /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));
  response.set({
    'Content-Type': asset.type,
    'Cache-Control': 'public, max-age=31536000, immutable',
    Vary: 'Accept-Encoding',
    ...(isGzipped && { 'Content-Encoding': 'gzip' }),
  });
  response.end(isGzipped ? asset.gzipped : asset.bytes);
};

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Builder } from './builder.ts';
import { findLiveHtml } from './find-live-html.ts';
import { runCommand } from './run-command.ts';

export interface BuiltPage {
  text: string;
  /** Undefined: the builder made no page of it. */
  html: string | undefined;
  /** What ran or shows. */
  live: string | undefined;
}

export interface Canary {
  secret: string;
  /** A file beside every site. */
  outside: string;
  /** Holds the sites. */
  directory: string;
}

export function createCanary(): Canary & Disposable {
  const directory = mkdtempSync(join(tmpdir(), 'pagewright-builders-'));
  const secret = 'hatched8231';
  const outside = join(directory, 'canary.txt');
  writeFileSync(outside, `${secret}\n`);
  return { secret, outside, directory, [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }) };
}

/** Builds the pages as one site. Where the builder gives up, it builds the halves. */
export async function buildPages(builder: Builder, texts: readonly string[], canary: Canary): Promise<BuiltPage[]> {
  if (texts.length === 0) return [];
  const folder = mkdtempSync(join(canary.directory, 'site-'));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write('.env', `${canary.secret}\n`);
  for (const [path, text] of Object.entries(builder.files)) write(path, text.replaceAll('@canary@', canary.secret));
  for (const [index, text] of texts.entries()) write(`docs/page-${index}.${builder.extension ?? 'md'}`, text);
  try {
    const { status } = await runCommand(builder.build(folder), folder);
    const pages = texts.map((text, index): BuiltPage => {
      const html = readIfThere(join(folder, builder.output(`page-${index}`)));
      return { text, html, live: html === undefined ? undefined : findLiveHtml(html, canary.secret) };
    });
    const isFailed = pages.every(({ html }) => html === undefined);
    if (isFailed && texts.length === 1) return pages.map((page) => ({ ...page, live: findInSite() }));
    if (isFailed) {
      const half = Math.ceil(texts.length / 2);
      return [
        ...(await buildPages(builder, texts.slice(0, half), canary)),
        ...(await buildPages(builder, texts.slice(half), canary)),
      ];
    }
    // It gave up before it wrote these.
    const left = status === 0 ? [] : pages.filter(({ html }) => html === undefined);
    if (left.length > 0)
      return [
        ...pages.filter(({ html }) => html !== undefined),
        ...(await buildPages(
          builder,
          left.map(({ text }) => text),
          canary,
        )),
      ];
    const copied = findInSite();
    if (copied === undefined || pages.some(({ live }) => live !== undefined)) return pages;
    if (texts.length === 1) return pages.map((page) => ({ ...page, live: copied }));
    // A file was copied: of which page?
    const half = Math.ceil(texts.length / 2);
    return [
      ...(await buildPages(builder, texts.slice(0, half), canary)),
      ...(await buildPages(builder, texts.slice(half), canary)),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }

  function findInSite(): string | undefined {
    if (builder.site === undefined) return undefined;
    const root = join(folder, builder.site);
    const pages = new Set(texts.map((_, index) => join(folder, builder.output(`page-${index}`))));
    for (const entry of listFiles(root)) {
      if (!pages.has(entry) && !entry.endsWith('.doctree') && readFileSync(entry, 'latin1').includes(canary.secret))
        return `the secret is in ${entry.slice(root.length)}`;
    }
    return undefined;
  }
}

function listFiles(root: string): string[] {
  try {
    return readdirSync(root, { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
    );
  } catch {
    return [];
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

import type { Session } from '../session.ts';
import type { Builder } from './builder.ts';
import { hugo } from './builders/hugo.ts';
import { listJavaScriptBuilders } from './builders/javascript.ts';
import { knitr } from './builders/knitr.ts';
import { pythonMarkdown } from './builders/python-markdown.ts';
import { asciidoctor, jekyll, kramdown } from './builders/ruby.ts';
import { listSiteBuilders } from './builders/sites.ts';
import { sphinx } from './builders/sphinx.ts';
import { runCommand } from './run-command.ts';
import { tryBuilder } from './try-builder.ts';

/** `packages`: a folder whose `node_modules` has the builders of npm. */
export const listBuilders = (packages: string): readonly Builder[] => [
  ...sphinx,
  ...pythonMarkdown,
  ...kramdown,
  jekyll,
  hugo,
  asciidoctor,
  knitr,
  ...listJavaScriptBuilders(packages),
  ...listSiteBuilders(packages),
];

export const builderNames: readonly string[] = listBuilders('').map(({ name }) => name);

/** Tries the chosen builders, one after the other, and names those that are not on this machine. */
export async function runPages(
  { chosen, ledger, seed, go }: Session,
  { size, packages }: { size: number; packages: string },
): Promise<void> {
  for (const builder of listBuilders(packages).filter(({ name }) => chosen.includes(name))) {
    const { status } = await runCommand(builder.probe);
    if (status === 0) await go(builder.name, () => tryBuilder(builder, { ledger, seed, size }));
    else console.log(`  skipped ${builder.name}, which is not on this machine: ${builder.install}`);
  }
}

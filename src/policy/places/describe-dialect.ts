import { extensionOf } from '../../docs/page-extensions.ts';
import type { Dialect } from '../pages/readers/dialect.ts';
import type { Root } from './find-roots.ts';

/** How the sites with these roots may read a page, taken together: what is live for one of them is live. */
export function describeDialect(path: string, roots: readonly Pick<Root, 'framework' | 'text'>[]): Dialect {
  const extension = extensionOf(path);
  const dialects = roots.map(({ framework }) => framework.dialect ?? {});
  const templates = roots.flatMap(({ framework: { dialect = {} }, text }) =>
    (dialect.templates ?? []).flatMap(({ language, contains }) => (contains?.test(text) === false ? [] : [language])),
  );
  return {
    syntax: findSyntax(
      extension,
      dialects.some(({ isMdx }) => isMdx !== undefined),
    ),
    vue: dialects.some(({ vue }) => vue) && extension !== 'mdx',
    braces: dialects.some(({ svelte }) => svelte) && extension !== 'mdx',
    templates: [...new Set(extension === 'mdoc' ? [...templates, 'markdoc' as const] : templates)],
    components: [...new Set(dialects.flatMap(({ components = [] }) => components))],
  };
}

function findSyntax(extension: string, isMdx: boolean): Dialect['syntax'] {
  if (extension === 'mdx') return 'mdx';
  if (['rst', 'txt', 'po', 'pot'].includes(extension)) return 'restructuredtext';
  if (extension === 'adoc' || extension === 'asciidoc') return 'asciidoc';
  return isMdx ? 'mdx' : 'markdown';
}

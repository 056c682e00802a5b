import { createFindings, type PageContent } from './page-code.ts';
import { readAsciiDoc } from './readers/asciidoc.ts';
import type { Dialect, Syntax } from './readers/dialect.ts';
import { expandTemplates } from './readers/expand-templates.ts';
import { readFrontMatter } from './readers/front-matter.ts';
import { readMarkdown } from './readers/markdown.ts';
import { readMdx } from './readers/mdx/mdx.ts';
import { readRestructuredText } from './readers/restructuredtext.ts';
import { readTemplates } from './readers/templates.ts';

export interface PageToRead {
  text: string;
  path: string;
  dialect: Dialect;
  /** A page includes the text, so that it has no front matter. */
  isPart?: boolean;
}

const readers: Record<Syntax, (findings: ReturnType<typeof createFindings>, page: PageToRead) => void> = {
  mdx: (findings, { text, ...page }) => readMdx(findings, text, page),
  markdown: (findings, { text, ...page }) => readMarkdown(findings, text, page),
  restructuredtext: (findings, { text }) => readRestructuredText(findings, text),
  asciidoc: (findings, { text }) => readAsciiDoc(findings, text),
};

/**
 * Lists what any of the page's readers could run, load or obey, by its source alone. A place that is not clear counts: this is stricter than
 * every reader, never more lenient than one.
 */
export function readPage(page: PageToRead): PageContent {
  const findings = createFindings();
  const { text, dialect, isPart } = page;
  if (!isPart) readFrontMatter(findings, text, dialect);
  readTemplates(findings, text, dialect.templates);
  const texts = dialect.templates.includes('liquid') ? expandTemplates(text) : [text];
  for (const syntax of dialect.syntaxes) for (const each of texts) readers[syntax](findings, { ...page, text: each });
  return findings.content();
}

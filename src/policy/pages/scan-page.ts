import { createFindings, type PageContent } from './page-code.ts';
import { scanAsciiDoc } from './readers/asciidoc.ts';
import type { Dialect, Markup } from './readers/dialect.ts';
import { expandTemplates } from './readers/expand-templates.ts';
import { scanFormulas } from './readers/formulas.ts';
import { scanFrontMatter } from './readers/front-matter.ts';
import { scanMarkdown } from './readers/markdown.ts';
import { scanMdx } from './readers/mdx/mdx.ts';
import { scanRestructuredText } from './readers/restructuredtext.ts';
import { scanMarks, scanTemplates } from './readers/templates.ts';
import { control } from './readers/verbatim/verbatim.ts';

export interface PageToRead {
  text: string;
  path: string;
  dialect: Dialect;
  /** A page includes the text, so that it has no front matter. */
  isPart?: boolean;
}

const readers: Record<Markup, (findings: ReturnType<typeof createFindings>, page: PageToRead) => void> = {
  mdx: (findings, { text, ...page }) => scanMdx(findings, text, page),
  markdown: (findings, { text, ...page }) => scanMarkdown(findings, text, page),
  restructuredtext: (findings, { text }) => scanRestructuredText(findings, text),
  asciidoc: (findings, { text }) => scanAsciiDoc(findings, text),
};

/**
 * Lists what any of the page's readers could run, load or obey, by its source alone. A place that is not clear counts: this is stricter than
 * every reader, never more lenient than one.
 */
export function scanPage(page: PageToRead): PageContent {
  const findings = createFindings();
  const { dialect, isPart } = page;
  const source = page.text.replaceAll('\r\n', '\n');
  for (const text of control.test(source) ? [source, source.split(control).join('\n')] : [source]) {
    if (!isPart) scanFrontMatter(findings, text, page);
    scanFormulas(findings, text);
    scanTemplates(findings, text, dialect.templates);
    scanMarks(findings, text, dialect.marks);
    const texts = dialect.templates.includes('liquid') ? expandTemplates(text) : [text];
    for (const syntax of dialect.syntaxes) for (const each of texts) readers[syntax](findings, { ...page, text: each });
  }
  return findings.content();
}

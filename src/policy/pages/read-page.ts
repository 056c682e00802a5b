import type { ThreadTask } from '../../threads/threads.ts';
import { createFindings, type PageContent } from './page-code.ts';
import { readAsciiDoc } from './readers/asciidoc.ts';
import type { Dialect } from './readers/dialect.ts';
import { readFrontMatter } from './readers/front-matter.ts';
import { readMarkdown } from './readers/markdown.ts';
import { readMdx } from './readers/mdx/mdx.ts';
import { readRestructuredText } from './readers/restructuredtext.ts';
import { readTemplates } from './readers/templates.ts';

/** `problem`: why a page of MDX does not parse. */
export type ReadPage = PageContent & { problem?: string | undefined };

export interface PageToRead {
  text: string;
  path: string;
  dialect: Dialect;
}

/** Lists the content of a page that the site runs, loads or obeys. */
export function readPage({ text, path, dialect }: PageToRead): ReadPage {
  const findings = createFindings();
  let problem: string | undefined;
  readFrontMatter(findings, text, { json: dialect.templates.includes('hugo') });
  readTemplates(findings, text, dialect.templates);
  switch (dialect.syntax) {
    case 'mdx':
      problem = readMdx(findings, text, { path, dialect });
      break;
    case 'markdown':
      readMarkdown(findings, text, dialect);
      break;
    case 'restructuredtext':
      readRestructuredText(findings, text);
      break;
    case 'asciidoc':
      readAsciiDoc(findings, text);
  }
  return { ...findings.content(), problem };
}

/** Also for small pages: some Markdown takes quadratic time, `*a_` 20 ms for 800 characters and 7 s for 16,000. */
export const readPageTask: ThreadTask<PageToRead, ReadPage> = {
  module: import.meta.url,
  work: readPage,
};

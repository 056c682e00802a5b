import type { Findings } from '../../page-code.ts';
import type { Dialect } from '../dialect.ts';
import { readBrokenMdx } from './broken-mdx.ts';
import { listPrograms, parseMdx, readMdxNodes } from './mdx-tree.ts';
import { readModule } from './modules.ts';

/** A page that is compiled to a module. Returns why it does not parse. */
export function readMdx(
  findings: Findings,
  text: string,
  { path, dialect: { components } }: { path: string; dialect: Dialect },
): string | undefined {
  const prepared = withoutHeadingIds(text);
  let nodes: ReturnType<typeof parseMdx>;
  try {
    nodes = parseMdx(prepared);
  } catch (error) {
    readBrokenMdx(findings, prepared, { path, components });
    return error instanceof Error ? error.message : String(error);
  }
  readMdxNodes(findings, nodes, { text, ...readModule(findings, listPrograms(nodes), { text, path, components }) });
  return undefined;
}

/** `# Title {#id}` of Docusaurus and others, which is no expression. Keeps every position but those in the rest of the line. */
function withoutHeadingIds(text: string): string {
  if (!text.includes('{#')) return text;
  const lines = text.split('\n');
  return lines
    .map((line) =>
      /^ {0,3}#{1,6}\s/.test(line) ? line.replace(/\{#[\w.:-]+\}\s*$/, (id) => ' '.repeat(id.length)) : line,
    )
    .join('\n');
}

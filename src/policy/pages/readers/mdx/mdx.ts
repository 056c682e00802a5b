import { blankHeadingIds, listNodes, parseMdx } from '../../../../docs/formats/mdx.ts';
import type { Findings } from '../../page-code.ts';
import type { Dialect } from '../dialect.ts';
import { readBrokenMdx } from './broken-mdx.ts';
import { guardedMdx, listPrograms, readMdxNodes } from './mdx-tree.ts';
import { readModule } from './modules.ts';

/** A page that is compiled to a module. Returns why it does not parse. */
export function readMdx(
  findings: Findings,
  text: string,
  { path, dialect: { components } }: { path: string; dialect: Dialect },
): string | undefined {
  const { root, fault } = parseMdx(text, guardedMdx);
  if (root === undefined) {
    readBrokenMdx(findings, blankHeadingIds(text), { path, components });
    return fault.reason;
  }
  const nodes = listNodes(root);
  readMdxNodes(findings, nodes, { text, ...readModule(findings, listPrograms(nodes), { text, path, components }) });
  return undefined;
}

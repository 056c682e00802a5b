import type { Documentation } from '../documentation.ts';
import { isOpenApi, nameOperation, type ReadOpenApi } from '../formats/open-api.ts';
import { createLineOf } from '../line-of.ts';
import { isRead } from '../page-extensions.ts';
import type { Page } from '../pages/read-page.ts';
import type { FoundProblem } from '../problem.ts';
import type { SitesInTree } from '../reading.ts';
import type { Site } from '../sites/open-sites.ts';
import { type FileTree, isBelow, joinPath } from '../tree.ts';

type Reader = (path: string) => ReturnType<ReadOpenApi>;

/**
 * Descriptions of APIs that cannot be read or lack what they refer to, and operations that pages name in vain. Of both states, where the change
 * touched them, or `all`.
 */
export function findApiProblems(
  { base, head, readOpenApi }: Documentation,
  { all = false }: { all?: boolean } = {},
): { head: FoundProblem[]; base: FoundProblem[]; unjudged: string[] } {
  const changed = [...head.tree.paths].filter((path) => all || base.tree.identify(path) !== head.tree.identify(path));
  const gone = [...base.tree.paths].filter((path) => !head.tree.paths.has(path));
  const isDescription = (path: string) =>
    [base, head].some(({ tree }) => isData.test(path) && isOpenApi(path, tree.read(path) ?? ''));
  const touched = [...changed, ...gone].filter(isDescription);
  const names = changed.some((path) => head.sites.some(({ pages }) => listNamed(pages.get(path)).length > 0));
  const tooLarge = changed.filter(
    (path) => isData.test(path) && /api|swagger/i.test(path) && isRead(path) && head.tree.read(path) === undefined,
  );
  const unjudged = tooLarge.map((path) => `Not checked: ${path}, which is beyond the size that is read.`);
  if (touched.length === 0 && !names) return { head: [], base: [], unjudged };
  return {
    head: findIn(head, touched, readOpenApi),
    base: findIn(base, touched, readOpenApi),
    unjudged: [...unjudged, ...touched.flatMap((path) => describeUnjudged(path, readIn(head, readOpenApi)(path)))],
  };
}

const describeUnjudged = (path: string, { unjudged }: ReturnType<ReadOpenApi>) =>
  unjudged === undefined ? [] : `Not checked: whether ${path} is valid OpenAPI, because ${unjudged}.`;

const readIn =
  ({ tree }: SitesInTree, readOpenApi: ReadOpenApi): Reader =>
  (path) =>
    readOpenApi(path, tree.read(path) ?? '');

const isData = /\.(?:json|ya?ml)$/i;

function findIn(state: SitesInTree, touched: readonly string[], readOpenApi: ReadOpenApi): FoundProblem[] {
  const { tree, sites } = state;
  const read = readIn(state, readOpenApi);
  const own = touched.filter((path) => tree.paths.has(path)).flatMap((path) => toProblems(tree, path, read(path)));
  return [...own, ...sites.flatMap((site) => findUnanswered(tree, site, read))];
}

function toProblems(tree: FileTree, file: string, described: ReturnType<ReadOpenApi>): FoundProblem[] {
  const { fault, lostReferences, repeatedIds, faults } = described;
  const text = tree.read(file) ?? '';
  const lineOf = createLineOf(text);
  const report = (
    severity: FoundProblem['severity'],
    target: string,
    message: string,
    line = fault?.line ?? lineOf(Math.max(0, text.lastIndexOf(target))),
  ): FoundProblem => ({ file, line, kind: 'api', severity, target, describe: () => message });
  return [
    ...(fault === undefined ? [] : [report('must', 'fault', `the API description is ${fault.message}`)]),
    ...lostReferences.map((each) =>
      report('must', each, `the API description refers to ${each}, which it does not have`),
    ),
    ...repeatedIds.map((id) =>
      report('should', id, `two operations of the API description have the operationId ${id}`),
    ),
    // One of each: who breaks a rule already does not mind it elsewhere.
    ...faults.map(({ rule, line, message }) => report('should', rule, `not valid OpenAPI: ${message}`, line)),
  ];
}

interface Named {
  /** As written; undefined: any description of the site. */
  file: string | undefined;
  method: string;
  path: string;
  start: number;
}

const inFrontMatter =
  /^(?:(\S{1,300}\.(?:json|ya?ml))[ \t]{1,9})?(get|put|post|delete|options|head|patch|trace)[ \t]{1,9}(\/\S*)$/i;
const snippets = ['EndpointRequestSnippet', 'EndpointResponseSnippet'];

/** https://www.mintlify.com/docs/api-playground/openapi-setup, https://buildwithfern.com/learn/docs/writing-content/components/request-snippet */
function listNamed(page: Page | undefined): Named[] {
  if (page === undefined) return [];
  const written = [
    { text: page.frontMatter.data.openapi, start: 0 },
    ...page.tags
      .filter(({ name }) => snippets.includes(name))
      .map(({ attributes, start }) => ({ text: attributes.get('endpoint')?.value, start })),
  ];
  return written.flatMap(({ text, start }) => {
    const [, file, method, path] = typeof text === 'string' ? (inFrontMatter.exec(text.trim()) ?? []) : [];
    return method === undefined || path === undefined ? [] : [{ file, method, path, start }];
  });
}

function findUnanswered(tree: FileTree, site: Site, read: Reader): FoundProblem[] {
  const named = [...site.pages].flatMap(([file, page]) =>
    listNamed(page).map((operation) => ({ file, page, operation })),
  );
  if (named.length === 0 || isDescribedElsewhere(tree, site)) return [];
  const files = [...tree.paths].filter(
    (path) => isBelow(path, site.root) && isData.test(path) && isOpenApi(path, tree.read(path) ?? ''),
  );
  return named.flatMap(({ file, page, operation }): FoundProblem[] => {
    const { method, path, start } = operation;
    const described = files.filter((each) => isNamed(each, operation.file)).map(read);
    // What cannot be read is told by itself, and what is not there is made by a build.
    const isKnown = described.length > 0 && described.every(({ fault }) => fault === undefined);
    if (!isKnown || described.some(({ operations }) => operations.has(nameOperation(method, path)))) return [];
    const target = `${method.toUpperCase()} ${path}`;
    const describe = () => `no API description here has the operation ${target}, which this page names`;
    return [{ file, line: page.lineOf(start), kind: 'api', severity: 'should', target, describe }];
  });
}

/** By its path, or by the end of it. */
const isNamed = (path: string, written: string | undefined): boolean =>
  written === undefined || `/${path}`.endsWith(`/${joinPath('', written) ?? written}`);

/** The settings name descriptions on the web. */
const isDescribedElsewhere = (tree: FileTree, { configurationFiles, navigationFiles }: Site): boolean =>
  [...new Set([...configurationFiles, ...navigationFiles])].some((file) =>
    /\b(?:openapi|asyncapi|url)["']?[ \t]{0,9}:\s{0,99}(?:\[\s{0,99})?["']?https?:/.test(tree.read(file) ?? ''),
  );

import { posix } from 'node:path';
import type { Declaration, Program } from 'estree-jsx';
import { extensionOf, isProse } from '../../../../docs/page-extensions.ts';
import type { Findings } from '../../page-code.ts';
import { evaluate, type Scope } from '../literals.ts';

const imageExtensions = new Set('png jpg jpeg gif webp avif svg ico mp4 webm mov pdf'.split(' '));

/** The imports and exports of a page: each module that it loads, and each export that is more than data. Adds the names that it declares. */
export function scanModule(
  findings: Findings,
  programs: readonly Program[],
  options: { text: string; path: string; data: Set<string>; components: Set<string>; scope: Scope },
): void {
  const { text, path, data, components, scope } = options;
  const statements = programs.flatMap(({ body }) => body);
  for (const statement of statements) {
    if (statement.type !== 'ImportDeclaration') continue;
    const specifier = String(statement.source.value);
    for (const { local } of statement.specifiers) {
      components.add(local.name);
      if (isDataFile(specifier, path) && !isProse(specifier)) data.add(local.name);
    }
    addImport(findings, specifier, path);
  }
  for (const statement of statements) {
    if (statement.type === 'ImportDeclaration') continue;
    const source =
      'start' in statement && 'end' in statement ? text.slice(Number(statement.start), Number(statement.end)) : '';
    if ('source' in statement && statement.source) addImport(findings, String(statement.source.value), path);
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : undefined;
    const names = declared ? readConstants(declared) : undefined;
    for (const name of declared ? listDeclared(declared) : []) components.add(name);
    if (names) for (const name of names) data.add(name);
    else findings.add('export', source, { clue: source.split('\n', 1)[0]?.slice(0, 200) ?? '' });
  }

  /** The names of constants that are all data. */
  function readConstants(declared: Declaration): string[] | undefined {
    if (declared.type !== 'VariableDeclaration') return undefined;
    const names = declared.declarations.map(({ id, init }) =>
      id.type === 'Identifier' && init && evaluate(init, scope) ? id.name : undefined,
    );
    return names.every((name) => name !== undefined) ? names : undefined;
  }
}

function listDeclared(declared: Declaration): string[] {
  if (declared.type !== 'VariableDeclaration') return declared.id ? [declared.id.name] : [];
  return declared.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? id.name : []));
}

function addImport(findings: Findings, specifier: string, path: string): void {
  if (isDataFile(specifier, path)) return;
  findings.add('import', nameModule(specifier, path), { clue: specifier.split('/').at(-1) ?? specifier });
}

/** Pages on different levels write one module in different ways. */
const nameModule = (specifier: string, path: string): string =>
  /^\.\.?\//.test(specifier) ? `./${posix.join(posix.dirname(path), specifier)}` : specifier;

/** An image or a page of the repository. Not with a loader, a query or a package, which may turn it into code. */
function isDataFile(specifier: string, path: string): boolean {
  if (!/^(\.\.?|@site|@|~)?\//.test(specifier) || /[?!#:\\]/.test(specifier)) return false;
  if (nameModule(specifier, path).startsWith('./..')) return false;
  return isProse(specifier) || imageExtensions.has(extensionOf(specifier));
}

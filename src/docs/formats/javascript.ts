import { createRequire } from 'node:module';
import type { ParserPlugin } from '@babel/parser';

/** Half a megabyte that the service itself rarely needs. */
const loadParser = (): typeof import('@babel/parser') => createRequire(import.meta.url)('@babel/parser');

/** A string, or the name of a property. */
export interface Literal {
  /** The names of the properties and variables around it, outermost first: `presets.docs.path` is `['presets', 'docs', 'path']`. */
  keys: string[];
  value: string;
  line: number;
  /** Without quotes. */
  start: number;
  end: number;
  /** Where the objects around it begin, outermost first. */
  objects: number[];
}

export interface Script {
  strings: Literal[];
  /** With the names above each, without its own. */
  names: Literal[];
  /** The end of each object, by its start. */
  ends: Map<number, number>;
}

/**
 * The syntax tree of JavaScript or TypeScript, which is never run. The extension of `path` selects the dialect: a type assertion of one is an
 * element in another. `isLenient`: reads on behind what only a later step refuses, such as a name declared twice. Throws for a text that does not parse.
 */
export const parseScript = (
  text: string,
  { path = '.tsx', isLenient = false }: { path?: string; isLenient?: boolean } = {},
) =>
  loadParser().parse(text, {
    sourceType: 'unambiguous',
    plugins: findPlugins(path),
    errorRecovery: isLenient,
    attachComment: false,
    createParenthesizedExpressions: true,
  });

function findPlugins(path: string): ParserPlugin[] {
  // `import … assert { type: 'json' }`, which older versions of Node required.
  const older: ParserPlugin = 'deprecatedImportAssert';
  if (/\.[cm]?ts$/i.test(path)) return ['typescript', older];
  return /\.tsx$/i.test(path) ? ['typescript', 'jsx', older] : ['jsx', older];
}

/** Reads JavaScript or TypeScript, which is parsed and never run. Empty if it does not parse. */
export function readScript(text: string | undefined): Script {
  const script: Script = { strings: [], names: [], ends: new Map() };
  if (text === undefined) return script;
  try {
    const { program } = parseScript(text, { isLenient: true });
    visit(program, { keys: [], objects: [] }, script);
  } catch {
    return { strings: [], names: [], ends: new Map() };
  }
  return script;
}

/** JSON, which is JavaScript behind a default export. */
export function readJsonScript(text = ''): Script {
  const opening = 'export default ';
  const { strings, names, ends } = readScript(opening + text);
  const place = (each: Literal) => ({ ...each, start: each.start - opening.length, end: each.end - opening.length });
  return { strings: strings.map(place), names: names.map(place), ends };
}

type SyntaxNode = { type: string } & Record<string, unknown>;
type Around = Pick<Literal, 'keys' | 'objects'>;

const isSyntaxNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const named = ['ObjectProperty', 'VariableDeclarator', 'FunctionDeclaration', 'ObjectMethod'];

function visit(node: unknown, around: Around, script: Script): void {
  if (Array.isArray(node)) {
    for (const child of node) visit(child, around, script);
    return;
  }
  if (!isSyntaxNode(node)) return;
  const text = readText(node);
  if (text !== undefined) {
    script.strings.push({ ...around, value: text, ...locate(node, 1) });
    return;
  }
  const label = named.includes(node.type) && node.computed !== true ? (node.key ?? node.id) : undefined;
  const name = readName(label);
  if (name !== undefined && isSyntaxNode(label) && node.type === 'ObjectProperty')
    script.names.push({ ...around, value: name, ...locate(label, label.type === 'StringLiteral' ? 1 : 0) });
  if (node.type === 'ObjectExpression') script.ends.set(Number(node.start), Number(node.end));
  const keys = name === undefined ? around.keys : [...around.keys, name];
  const objects = node.type === 'ObjectExpression' ? [...around.objects, Number(node.start)] : around.objects;
  for (const [key, child] of Object.entries(node)) {
    if (key === 'loc' || key === 'typeAnnotation' || child === label) continue;
    visit(child, { keys, objects }, script);
  }
}

function readText(node: SyntaxNode): string | undefined {
  if (node.type === 'StringLiteral' && typeof node.value === 'string') return node.value;
  const [only] =
    node.type === 'TemplateLiteral' && Array.isArray(node.quasis) && node.quasis.length === 1 ? node.quasis : [];
  const value: unknown = isSyntaxNode(only) ? only.value : undefined;
  return typeof value === 'object' && value !== null && 'cooked' in value && typeof value.cooked === 'string'
    ? value.cooked
    : undefined;
}

const readName = (node: unknown): string | undefined => {
  if (!isSyntaxNode(node)) return undefined;
  const name = node.name ?? node.value;
  return typeof name === 'string' ? name : undefined;
};

function locate({ start, end, loc }: SyntaxNode, quote: number) {
  const from = typeof loc === 'object' && loc !== null && 'start' in loc ? loc.start : undefined;
  const line = typeof from === 'object' && from !== null && 'line' in from ? Number(from.line) : 1;
  return { line, start: Number(start) + quote, end: Number(end) - quote };
}

/** Whether the value of a property or method is known only at run time: it has a call, a parameter, or a name from elsewhere. */
export function isMadeByCode(text: string | undefined, name: string): boolean {
  if (text === undefined || !text.includes(name)) return false;
  try {
    const { program } = parseScript(text, { isLenient: true });
    const constants = new Map(program.body.flatMap(listConstants));
    return listMembers(program, name).some((member) => runs(member, constants, new Set()));
  } catch {
    return false;
  }
}

function listConstants(statement: unknown): [string, unknown][] {
  const inner = isSyntaxNode(statement) && isSyntaxNode(statement.declaration) ? statement.declaration : statement;
  if (!isSyntaxNode(inner) || inner.type !== 'VariableDeclaration' || !Array.isArray(inner.declarations)) return [];
  return inner.declarations.flatMap((declarator): [string, unknown][] =>
    isSyntaxNode(declarator) && isSyntaxNode(declarator.id) ? [[String(declarator.id.name), declarator.init]] : [],
  );
}

/** The values of all properties with this name, and the bodies of methods. */
function listMembers(node: unknown, name: string): unknown[] {
  if (Array.isArray(node)) return node.flatMap((child) => listMembers(child, name));
  if (!isSyntaxNode(node)) return [];
  const isMember = node.type === 'ObjectProperty' || node.type === 'ObjectMethod';
  const isNamed = isMember && isSyntaxNode(node.key) && (node.key.name ?? node.key.value) === name;
  const inside = Object.values(node).flatMap((child) => listMembers(child, name));
  return isNamed ? [node.type === 'ObjectMethod' ? node.body : node.value, ...inside] : inside;
}

function runs(node: unknown, constants: ReadonlyMap<string, unknown>, seen: ReadonlySet<string>): boolean {
  if (Array.isArray(node)) return node.some((child) => runs(child, constants, seen));
  if (!isSyntaxNode(node)) return false;
  switch (node.type) {
    case 'Identifier': {
      const name = String(node.name);
      return seen.has(name) || !constants.has(name) || runs(constants.get(name), constants, new Set([...seen, name]));
    }
    case 'CallExpression':
    case 'NewExpression':
    case 'TaggedTemplateExpression':
      return true;
    case 'ObjectProperty':
      return runs(node.value, constants, seen);
    default:
      return Object.entries(node).some(
        ([key, child]) => !/^(?:typeAnnotation|typeParameters|loc)$/.test(key) && runs(child, constants, seen),
      );
  }
}

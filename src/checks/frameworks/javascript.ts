import { type ParserPlugin, parse } from '@babel/parser';

export interface Literal {
  /** The names of the properties around it, outermost first: `presets.docs.path` is `['presets', 'docs', 'path']`. */
  keys: string[];
  value: string;
  line: number;
}

const plugins: ParserPlugin[] = ['typescript', 'jsx'];

/** Lists the strings of JavaScript or TypeScript, which is parsed and never run. None if it does not parse. */
export function listLiterals(text: string): Literal[] {
  const found: Literal[] = [];
  try {
    const { program } = parse(text, { sourceType: 'module', plugins, errorRecovery: true, attachComment: false });
    visit(program, [], found);
  } catch {
    return [];
  }
  return found;
}

interface SyntaxNode {
  type: string;
}

const isNode = (value: unknown): value is SyntaxNode & Record<string, unknown> =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

function visit(node: unknown, keys: string[], found: Literal[]): void {
  if (Array.isArray(node)) {
    for (const child of node) visit(child, keys, found);
    return;
  }
  if (!isNode(node)) return;
  const text = readText(node);
  if (text !== undefined) {
    found.push({ keys, value: text, line: readLine(node) });
    return;
  }
  const name =
    node.type === 'ObjectProperty' || node.type === 'VariableDeclarator' ? readName(node.key ?? node.id) : undefined;
  const below = name === undefined ? keys : [...keys, name];
  for (const [key, child] of Object.entries(node)) {
    if (key === 'loc' || (name !== undefined && (key === 'key' || key === 'id'))) continue;
    visit(child, below, found);
  }
}

function readText(node: SyntaxNode & Record<string, unknown>): string | undefined {
  if (node.type === 'StringLiteral' && typeof node.value === 'string') return node.value;
  const [only] =
    node.type === 'TemplateLiteral' && Array.isArray(node.quasis) && node.quasis.length === 1 ? node.quasis : [];
  const value: unknown = isNode(only) ? only.value : undefined;
  return typeof value === 'object' && value !== null && 'cooked' in value && typeof value.cooked === 'string'
    ? value.cooked
    : undefined;
}

const readName = (node: unknown): string | undefined => {
  if (!isNode(node)) return undefined;
  const name = node.name ?? node.value;
  return typeof name === 'string' ? name : undefined;
};

function readLine({ loc }: Record<string, unknown>): number {
  const start = typeof loc === 'object' && loc !== null && 'start' in loc ? loc.start : undefined;
  return typeof start === 'object' && start !== null && 'line' in start && typeof start.line === 'number'
    ? start.line
    : 1;
}

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from '@babel/parser';

interface Place {
  file: string;
  line: number;
}

/** A regular expression of our code. `built`: the code of one that is made when it runs. */
export type Pattern = Place & ({ source: string; flags: string } | { built: string });

/** The regular expressions of all code below a folder. */
export function listPatterns(root: string, folder: string): Pattern[] {
  const files = globSync(`${folder}/**/*.{ts,js}`, { cwd: root }).sort();
  return files.flatMap((file) => listPatternsOf(file, readFileSync(join(root, file), 'utf8')));
}

export function listPatternsOf(file: string, code: string): Pattern[] {
  const { program } = parse(code, { sourceType: 'module', plugins: ['typescript'] });
  const patterns: Pattern[] = [];
  visit(program, (node) => {
    const place = { file, line: node.loc?.start.line ?? 0 };
    if (node.type === 'RegExpLiteral') patterns.push({ ...place, source: node.pattern ?? '', flags: node.flags ?? '' });
    const isCall = node.type === 'NewExpression' || node.type === 'CallExpression';
    if (isCall && node.callee?.name === 'RegExp')
      patterns.push({ ...place, built: code.slice(node.start, node.end).replaceAll(/\s+/g, ' ') });
  });
  return patterns;
}

interface AnyNode {
  type: string;
  start: number;
  end: number;
  loc?: { start: { line: number } } | null;
  pattern?: string;
  flags?: string;
  callee?: { name?: string };
}

const isNode = (value: object): value is AnyNode => 'type' in value && typeof value.type === 'string';

function visit(value: unknown, look: (node: AnyNode) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (isNode(value)) look(value);
  for (const [key, part] of Object.entries(value)) if (key !== 'loc' && !/comments$/i.test(key)) visit(part, look);
}

import { isSyntaxNode, parseScript } from './javascript.ts';

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

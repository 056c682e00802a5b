import type { Node, Program } from '@babel/types';

interface Exported {
  name: string;
  value: Node;
}

/** https://tc39.es/ecma262/#sec-exports, https://nodejs.org/api/modules.html#exports */
export function listExports({ body }: Program): Exported[] {
  return body.flatMap((statement): Exported[] => {
    switch (statement.type) {
      case 'ExportDefaultDeclaration':
        return [{ name: 'default', value: statement.declaration }];
      case 'ExportNamedDeclaration':
        return statement.source
          ? []
          : [...listDeclared(statement.declaration), ...statement.specifiers.flatMap(readSpecifier)];
      case 'ExpressionStatement':
        return readAssignment(statement.expression);
      case 'TSExportAssignment':
        return [{ name: 'default', value: statement.expression }];
      default:
        return [];
    }
  });
}

function listDeclared(declaration: Node | null | undefined): Exported[] {
  if (declaration?.type === 'FunctionDeclaration' && declaration.id)
    return [{ name: declaration.id.name, value: declaration.id }];
  if (declaration?.type !== 'VariableDeclaration') return [];
  return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [{ name: id.name, value: id }] : []));
}

function readSpecifier(specifier: Node): Exported[] {
  if (specifier.type !== 'ExportSpecifier') return [];
  const { exported, local } = specifier;
  return [{ name: exported.type === 'Identifier' ? exported.name : exported.value, value: local }];
}

function readAssignment(expression: Node): Exported[] {
  if (expression.type !== 'AssignmentExpression' || expression.operator !== '=') return [];
  const { left, right } = expression;
  if (left.type !== 'MemberExpression' || left.computed || left.property.type !== 'Identifier') return [];
  if (left.object.type !== 'Identifier') return [];
  const { name } = left.property;
  if (left.object.name === 'module' && name === 'exports') return [{ name: 'default', value: right }];
  return left.object.name === 'exports' ? [{ name, value: right }] : [];
}

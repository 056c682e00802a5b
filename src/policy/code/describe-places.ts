import type { Node } from '@babel/types';
import type { CodeContainer, CodeFile } from '../../docs/frameworks/edits/data-files.ts';
import { quote } from '../data/entries.ts';
import type { Regions } from './find-regions.ts';
import { type Syntax, unwrap } from './syntax.ts';

/** The number and the text of a line. */
export function locate({ text }: Syntax, { start }: { start?: number | null | undefined }): string {
  const line = lineOf(text, start);
  return `line ${line} (${quote(text.split('\n')[line - 1]?.trim() ?? '')})`;
}

const lineOf = (text: string, at: number | null | undefined): number => text.slice(0, at ?? 0).split('\n').length;

interface Places {
  /** With lines; empty: nothing. */
  places: string[];
  example: string | undefined;
}

export function describePlaces({ text }: Syntax, { byNode, present }: Regions, { containers }: CodeFile): Places {
  const regions = [...byNode.values()].filter(({ isArgument }) => !isArgument);
  const inOrder = regions.toSorted((a, b) => (a.node.start ?? 0) - (b.node.start ?? 0));
  const places = inOrder.slice(0, maxPlaces).map(({ container, node }) => {
    const [from, to] = [lineOf(text, node.start), lineOf(text, node.end)];
    return `${container.name} (${from === to ? `line ${from}` : `lines ${from} to ${to}`})`;
  });
  const missing = containers.filter(
    (container) =>
      container.canBeAdded && container.at.length === 1 && !present.has(container) && !isPart(container.at),
  );
  const example = regions
    .flatMap(({ node }) => listEntries(node))
    .map(({ start, end }) => text.slice(start ?? 0, end ?? 0).replace(/\s+/g, ' '))
    .findLast((written) => written.length <= maxExampleCharacters);
  return {
    places: [...new Set(places), ...missing.map(describeMissing)],
    example,
  };
}

const describeMissing = ({ name, canBeAdded }: CodeContainer): string =>
  canBeAdded === 'async method'
    ? `${name} (new in the configuration, exactly as: async ${name}() { return [ … ] })`
    : `${name} (a new key of the configuration)`;

const maxPlaces = 30;

const isPart = (at: readonly (string | RegExp)[]): boolean => at[0] instanceof RegExp;

const maxExampleCharacters = 160;

/** Objects of literals alone, with at least two keys. */
function listEntries(node: Node): Node[] {
  const inner = unwrap(node);
  if (inner.type === 'ArrayExpression') return inner.elements.flatMap((item) => (item ? listEntries(item) : []));
  if (inner.type !== 'ObjectExpression') return [];
  const values = inner.properties.map((property) => (property.type === 'ObjectProperty' ? property.value : property));
  const isPlain = values.length > 1 && values.every(({ type }) => /^(?:String|Numeric|Boolean)Literal$/.test(type));
  return isPlain ? [inner] : values.flatMap(listEntries);
}

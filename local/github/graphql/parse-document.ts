import { GraphqlError } from './graphql-error.ts';

export type Value =
  | string
  | number
  | boolean
  | null
  | { variable: string }
  | Value[]
  | { fields: Record<string, Value> };

export interface Field {
  name: string;
  /** The name in the response. */
  key: string;
  args: Record<string, Value>;
  selection: Field[];
  location: { line: number; column: number };
}

export interface Operation {
  kind: 'query' | 'mutation';
  selection: Field[];
}

interface Token {
  text: string;
  at: number;
}

const tokenPattern = /[\s,\ufeff]+|#[^\n]*|(\.\.\.|[!$():=@[\]{|}]|[_A-Za-z]\w*|-?\d+(?:\.\d+)?|"(?:[^"\\\n]|\\.)*")/gy;

/** The one operation of a document. Fragments and directives are more than this stand-in reads: https://spec.graphql.org/October2021/#sec-Document-Syntax */
export function parseDocument(source: string): Operation {
  const tokens = readTokens(source);
  let next = 0;
  const peek = () => tokens[next]?.text;
  const take = (): Token => {
    const token = tokens[next];
    if (!token) throw problem(source, source.length, 'Unexpected end of document');
    next += 1;
    return token;
  };
  const expect = (text: string): void => {
    const token = take();
    if (token.text !== text) throw problem(source, token.at, `Expected "${text}", actual: "${token.text}"`);
  };
  const takeName = (): Token => {
    const token = take();
    if (!/^[_A-Za-z]/.test(token.text)) throw problem(source, token.at, `Expected NAME, actual: "${token.text}"`);
    return token;
  };

  const operation: Operation = { kind: 'query', selection: [] };
  if (peek() !== '{') {
    const { text, at } = takeName();
    if (text !== 'query' && text !== 'mutation') throw problem(source, at, `"${text}" is not supported here`);
    operation.kind = text;
    if (peek() !== '{' && peek() !== '(') takeName();
    if (peek() === '(') skipDefinitions();
  }
  operation.selection = readSelection();
  const rest = tokens[next];
  if (rest) throw problem(source, rest.at, 'one operation and no fragments are supported here');
  return operation;

  function skipDefinitions(): void {
    let depth = 0;
    do {
      const { text } = take();
      if (text === '(') depth += 1;
      if (text === ')') depth -= 1;
    } while (depth > 0);
  }

  function readSelection(): Field[] {
    const fields: Field[] = [];
    expect('{');
    while (peek() !== '}') {
      const first = takeName();
      const isAlias = peek() === ':';
      if (isAlias) expect(':');
      const { text: name } = isAlias ? takeName() : first;
      const args = peek() === '(' ? readFields('(', ')') : {};
      const selection = peek() === '{' ? readSelection() : [];
      fields.push({ name, key: first.text, args, selection, location: locate(source, first.at) });
    }
    expect('}');
    return fields;
  }

  function readFields(open: string, close: string): Record<string, Value> {
    const fields: Record<string, Value> = {};
    expect(open);
    while (peek() !== close) {
      const { text } = takeName();
      expect(':');
      fields[text] = readValue();
    }
    expect(close);
    return fields;
  }

  function readValue(): Value {
    if (peek() === '{') return { fields: readFields('{', '}') };
    const { text, at } = take();
    if (text === '$') return { variable: takeName().text };
    if (text === '[') {
      const items: Value[] = [];
      while (peek() !== ']') items.push(readValue());
      expect(']');
      return items;
    }
    if (text.startsWith('"') || /^(-?\d|true$|false$|null$)/.test(text)) return JSON.parse(text);
    throw problem(source, at, `Expected a value, actual: "${text}"`);
  }
}

function readTokens(source: string): Token[] {
  const tokens: Token[] = [];
  const pattern = new RegExp(tokenPattern);
  while (pattern.lastIndex < source.length) {
    const at = pattern.lastIndex;
    const match = pattern.exec(source);
    if (!match) throw problem(source, at, `Unexpected character "${source.charAt(at)}"`);
    if (match[1] !== undefined) tokens.push({ text: match[1], at });
  }
  return tokens;
}

function locate(source: string, at: number) {
  const before = source.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function problem(source: string, at: number, text: string): GraphqlError {
  const location = locate(source, at);
  return new GraphqlError({ message: `${text} at [${location.line}, ${location.column}]`, locations: [location] });
}

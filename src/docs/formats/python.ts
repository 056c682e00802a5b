/** `start` to `end`: without quotes. */
interface Quoted {
  value: string;
  start: number;
  end: number;
}

/** A string of Python. */
export interface PythonString extends Quoted {
  /** The string that stands before it and a colon, in a dictionary. */
  key: Quoted | undefined;
}

interface PythonSetting {
  strings: PythonString[];
  /** Whether it is made of nothing but strings, numbers and names of constants. */
  isPlain: boolean;
}

const assignment = /^(\w+)[ \t]*(?:\+?=(?!=)|:[^=\n]{1,100}=(?!=)|\.(?:append|extend|update)\()[ \t]*/gm;

/**
 * The settings at the top level of a file of Python, which is not run: `name = "x"`, `name += ["x"]`, `name.append("x")`. Several of a name are
 * one. Linear time.
 */
export function readPython(text: string): Map<string, PythonSetting> {
  const settings = new Map<string, PythonSetting>();
  for (const { 0: opening, 1: name = '', index } of text.matchAll(assignment)) {
    const { strings, isPlain } = readValue(text, index + opening.length - (opening.trimEnd().endsWith('(') ? 1 : 0));
    const known = settings.get(name);
    settings.set(name, {
      strings: [...(known?.strings ?? []), ...strings],
      isPlain: isPlain && (known?.isPlain ?? true),
    });
  }
  return settings;
}

const token = /#[^\n]*|([A-Za-z]{0,2})("""|'''|"|')|[([{]|[)\]}]|,|:|\n|[A-Za-z_][\w.]*|[^\s\w"'#([{)\]},:]+|\d[\w.]*/y;
const constant = /^(?:True|False|None)$/;

function readValue(text: string, from: number): PythonSetting {
  const strings: PythonString[] = [];
  let [depth, isPlain, at] = [0, true, from];
  let last: Quoted | undefined;
  let key: Quoted | undefined;
  while (at < text.length) {
    token.lastIndex = at;
    const found = token.exec(text);
    if (found === null) {
      at += 1;
      continue;
    }
    const [whole, prefix = '', quote] = found;
    at += whole.length;
    if (quote !== undefined) {
      const end = findStringEnd(text, at, quote);
      if (/f/i.test(prefix)) isPlain = false;
      last = { value: text.slice(at, end).replace(/\\(["'\\])/g, '$1'), start: at, end };
      strings.push({ ...last, key });
      at = end + quote.length;
    } else if (/^[([{]/.test(whole)) depth += 1;
    else if (/^[)\]}]/.test(whole)) {
      depth -= 1;
      key = undefined;
      if (depth < 0) break;
    } else if (whole === '\n') {
      if (depth === 0) break;
    } else if (whole === ':') {
      key = last;
      if (last !== undefined) strings.pop();
    } else if (whole === ',') key = undefined;
    else if (!whole.startsWith('#') && !constant.test(whole) && !/^\d/.test(whole)) isPlain = false;
  }
  return { strings, isPlain };
}

function findStringEnd(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text.startsWith(quote, at) || (text[at] === '\n' && quote.length === 1)) return at;
  }
  return text.length;
}

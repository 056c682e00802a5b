import { findRepeatedKey, readYaml } from '../../../docs/formats/yaml.ts';

/** The value of a text in YAML. Undefined: some reader of YAML refuses it. */
export function readPageYaml(source: string): unknown {
  const flat = readFlatYaml(source);
  if (flat !== undefined) return flat;
  const read = readYaml(source);
  try {
    return (read.fault ?? findRepeatedKey(read)) ? undefined : read.document.toJS({ maxAliasCount: 20 });
  } catch {
    return undefined;
  }
}

const entry = /^( *)([A-Za-z_][\w-]{0,60}):(?: +([^ ].*))?$/;
const item = /^( *)- +([^ ].*)$/;
const plainValue =
  /^(?:"[^"\\\p{Cc}\ufeff\u2028\u2029]*"|'[^'\p{Cc}\ufeff\u2028\u2029]*'|\d{4}-\d\d-\d\d|\d{1,15}|[\p{L}/](?:[ -"$-9;-~\u00a0-\u1fff\u2010-\u2027\u2030-\ud7ff\u{1f300}-\u{1faff}]|:(?! |$))*)$/u;
/** Between brackets and commas. */
const flowItem = /^(?:"[^"\\\p{Cc}\ufeff\u2028\u2029]*"|'[^'\p{Cc}\ufeff\u2028\u2029]*'|[A-Za-z/][\w/. -]*)$/u;

/**
 * YAML with a name, or a text, in each line, as most front matter is: a parser takes ten times as long. Undefined: it may mean more.
 */
export function readFlatYaml(source: string): object | undefined {
  const root = new Map<string, unknown>();
  const levels = [{ indent: '', map: root }];
  /** The key that what is below it belongs to, and the list there. */
  let open: { key: string; list: unknown[]; indent?: string } | undefined;
  for (const whole of source.split('\n')) {
    const line = whole.replace(/(?<! ) +$/, '');
    if (line === '' || line.startsWith('#')) continue;
    const level = levels.at(-1);
    const [, column, written] = item.exec(line) ?? [];
    if (column !== undefined && written !== undefined) {
      const value = readValue(written);
      if (level === undefined || open === undefined || value === undefined) return undefined;
      if (column < level.indent || (open.indent ?? column) !== column) return undefined;
      open.indent = column;
      open.list.push(value);
      level.map.set(open.key, open.list);
      continue;
    }
    const [, indent, key, text] = entry.exec(line) ?? [];
    if (level === undefined || indent === undefined || key === undefined) return undefined;
    if (indent > level.indent) {
      if (open === undefined || open.indent !== undefined) return undefined;
      const map = new Map<string, unknown>();
      level.map.set(open.key, map);
      levels.push({ indent, map });
    } else while (indent < (levels.at(-1)?.indent ?? '')) levels.pop();
    const inner = levels.at(-1);
    const value = text === undefined ? null : readValue(text);
    if (inner?.indent !== indent || inner.map.has(key) || value === undefined) return undefined;
    inner.map.set(key, value);
    open = text === undefined ? { key, list: [] } : undefined;
  }
  return root.size === 0 ? undefined : toObject(root);
}

const toObject = (map: Map<string, unknown>): object =>
  Object.fromEntries(Array.from(map, ([key, value]) => [key, value instanceof Map ? toObject(value) : value]));

/** Undefined: it may be more than texts. */
function readValue(written: string): unknown {
  if (!/^\[.*\]$/.test(written)) return plainValue.test(written) ? readText(written) : undefined;
  const inside = written.slice(1, -1).replace(/^ +|(?<! ) +$/g, '');
  const items = inside === '' ? [] : inside.split(',').map((each) => each.replace(/^ +|(?<! ) +$/g, ''));
  return items.every((each) => flowItem.test(each)) ? items.map(readText) : undefined;
}

function readText(written: string): unknown {
  if (/^["']/.test(written)) return written.slice(1, -1);
  if (/^\d+$/.test(written)) return Number(written);
  const isWord = /^(?:true|True|TRUE|false|False|FALSE|null|Null|NULL)$/.test(written);
  return isWord ? JSON.parse(written.toLowerCase()) : written;
}

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

const entry = /^([A-Za-z_][\w-]{0,60}):(?: +([^ ].*))?$/;
const item = /^( *)- +([^ ].*)$/;
const plainValue =
  /^(?:"[^"\\\p{Cc}\ufeff\u2028\u2029]*"|'[^'\p{Cc}\ufeff\u2028\u2029]*'|\d{4}-\d\d-\d\d|\d{1,15}|[\p{L}/](?:[ -"$-9;-~\u00a0-\u1fff\u2010-\u2027\u2030-\ud7ff\u{1f300}-\u{1faff}]|:(?! |$))*)$/u;

/**
 * YAML with a name and a text, or a list of texts, in each line, as most front matter is: a parser takes ten times as long. Undefined: it may
 * mean more.
 */
export function readFlatYaml(source: string): Record<string, unknown> | undefined {
  const values = new Map<string, unknown>();
  let list: unknown[] | undefined;
  let indent: string | undefined;
  for (const whole of source.split('\n')) {
    const line = whole.replace(/(?<! ) +$/, '');
    if (line === '' || line.startsWith('#')) continue;
    const [, blanks, written] = item.exec(line) ?? [];
    if (written !== undefined) {
      if (list === undefined || !plainValue.test(written) || (indent ?? blanks) !== blanks) return undefined;
      indent = blanks;
      list.push(readText(written));
      continue;
    }
    const [, name, text] = entry.exec(line) ?? [];
    if (name === undefined || values.has(name) || (text !== undefined && !plainValue.test(text))) return undefined;
    list = text === undefined ? [] : undefined;
    indent = undefined;
    values.set(name, list ?? readText(text ?? ''));
  }
  if (values.size === 0) return undefined;
  return Object.fromEntries(Array.from(values, ([name, each]) => [name, isEmpty(each) ? null : each]));
}

const isEmpty = (each: unknown): boolean => Array.isArray(each) && each.length === 0;

function readText(written: string): unknown {
  if (/^["']/.test(written)) return written.slice(1, -1);
  if (/^\d+$/.test(written)) return Number(written);
  const isWord = /^(?:true|True|TRUE|false|False|FALSE|null|Null|NULL)$/.test(written);
  return isWord ? JSON.parse(written.toLowerCase()) : written;
}

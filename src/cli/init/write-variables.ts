import { parseEnv } from 'node:util';
import { UsageError } from '../usage-error.ts';

/** Sets variables in the text of a `.env`; its other lines stay. Throws `UsageError` for a value that no quotation can hold. */
export function writeVariables(text: string, values: Readonly<Record<string, string>>): string {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  for (const [name, value] of Object.entries(values)) {
    const at = lines.findIndex((line) => readName(line) === name);
    lines.splice(at < 0 ? lines.length : at, at < 0 ? 0 : 1, `${name}=${quote(value)}`);
  }
  const written = `${lines.join('\n')}\n`;
  const read = parseEnv(written);
  for (const [name, value] of Object.entries(values))
    if (read[name] !== value)
      throw new UsageError(`${name} cannot be written into the file: set it in the environment`);
  return written;
}

const readName = (line: string) =>
  line
    .split('=', 1)[0]
    ?.replace(/^ *export /, '')
    .trim();

function quote(value: string): string {
  if (/^[\w./:@%+,=-]*$/.test(value)) return value;
  const mark = ["'", '"', '`'].find((candidate) => !value.includes(candidate)) ?? '';
  return `${mark}${value}${mark}`;
}

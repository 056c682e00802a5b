import { type Data, isMap } from './data.ts';
import { readToml } from './toml.ts';
import { readYaml } from './yaml.ts';
import { readYamlValue } from './yaml-value.ts';

/** The data of a file of settings, in TOML, YAML or JSON. Undefined for one that cannot be read. */
export const readSettings = (file: string, text: string): Data | undefined =>
  file.endsWith('.toml') ? readToml(text).value : readYamlValue(text)?.value;

/** Why a file of settings cannot be read, and where. */
export function findSettingsFault(file: string, text: string): { line: number; message: string } | undefined {
  if (file.endsWith('.toml')) return readToml(text).fault;
  const { fault } = readYaml(text);
  return (
    fault && { line: fault.line, message: `not valid ${file.endsWith('.json') ? 'JSON' : 'YAML'}: ${fault.message}` }
  );
}

/** What keys lead to, outermost first. */
export const valueAt = (value: Data | undefined, ...keys: string[]): Data | undefined =>
  keys.reduce<Data | undefined>((at, key) => (isMap(at) ? at[key] : undefined), value);

export const itemsOf = (value: Data | undefined): Data[] => (Array.isArray(value) ? value : []);

export const stringIn = (value: Data | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

import { type Data, isMap } from './data.ts';
import { readToml } from './toml.ts';
import { readYaml, readYamlValue } from './yaml.ts';

interface SettingsText {
  /** Undefined for a file that cannot be read. */
  value: Data | undefined;
  fault: { line: number; message: string } | undefined;
}

/** A file of settings in TOML, YAML or JSON: its data, or why it cannot be read, and where. */
export function readSettings(file: string, text: string): SettingsText {
  if (file.endsWith('.toml')) return readToml(text);
  const value = readYamlValue(text)?.value;
  return { value, fault: value === undefined ? findYamlFault(file, text) : undefined };
}

function findYamlFault(file: string, text: string): SettingsText['fault'] {
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

import { parseDocument } from 'yaml';

/** `text`, a map without faults, with these entries; undefined removes one. The rest stays as it is written, comments too. */
export function writeYaml(text: string, changes: Iterable<readonly [name: string, value: unknown]>): string {
  const document = parseDocument(text, { schema: 'core', resolveKnownTags: false });
  for (const [name, value] of changes) {
    if (value === undefined) document.delete(name);
    else document.set(name, document.createNode(value));
  }
  const written = document.toString({ lineWidth: 0 });
  // An empty map is written as `{}`, a document without one as `null`.
  return ['{}', 'null'].includes(written.trim()) ? '' : written;
}

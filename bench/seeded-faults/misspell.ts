/** Replaces the last name of an address by one that does not exist. */
export function misspell(target: string): string {
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(target) ?? [];
  return path.replace(/([^/.]+)((?:\.\w+)?\/?)$/, 'zz-$1-qx$2') + rest;
}

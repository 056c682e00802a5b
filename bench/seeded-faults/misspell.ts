/** The last name of an address becomes one that nothing has. */
export function misspell(target: string): string {
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(target) ?? [];
  return path.replace(/([^/.]+)((?:\.\w+)?\/?)$/, 'zz-$1-qx$2') + rest;
}

const named: Record<string, string> = {
  tab: '\t',
  newline: '\n',
  colon: ':',
  lpar: '(',
  sol: '/',
  bsol: '\\',
  period: '.',
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  lbrace: '{',
  lcub: '{',
  rbrace: '}',
  rcub: '}',
};
const entity = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,8}))(;?)/gi;

/** Character references as browsers read them: numbers also without a semicolon. Only names that matter to addresses and tags. */
export const decodeEntities = (text: string): string =>
  text.includes('&')
    ? text.replace(entity, (all, hex?: string, decimal?: string, name?: string) => {
        if (name !== undefined) return named[name.toLowerCase()] ?? all;
        const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
        return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
      })
    : text;

const maxLength = 255;

/** https://git-scm.com/docs/git-check-ref-format */
const forbidden = /[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\.$|^\/|\/$/;

export function isBranchName(text: string): boolean {
  if (text === '' || text.length > maxLength || !text.isWellFormed() || forbidden.test(text)) return false;
  if (text === '@' || text === 'HEAD' || text.startsWith('-')) return false;
  return text.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'));
}

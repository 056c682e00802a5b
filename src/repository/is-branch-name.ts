const maxLength = 255;

/** https://git-scm.com/docs/git-check-ref-format */
const forbidden = /[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\.$|^\/|\/$/;

export function isBranchName(text: string): boolean {
  if (text === '' || text.length > maxLength || !text.isWellFormed() || forbidden.test(text)) return false;
  if (text === '@' || text === 'HEAD' || text.startsWith('-')) return false;
  return text.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'));
}

/** The name of a branch, also written as `refs/heads/…`; undefined: it is no valid name, or a ref of another kind. */
export function readBranchRef(text: string): string | undefined {
  const name = text.replace(/^refs\/heads\//, '');
  return isBranchName(name) && !/^refs\/(?!heads\/)/.test(text) ? name : undefined;
}

const maxStars = 6;

/** The patterns of a file like .gitignore, without exceptions: https://git-scm.com/docs/gitignore#_pattern_format */
export function createIgnoreTest(text: string | undefined): (path: string) => boolean {
  const patterns = (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('!'))
    // More of them would take long to match.
    .filter((line) => line.split('*').length <= maxStars)
    .map(toExpression);
  return (path) => patterns.some((pattern) => pattern.test(path));
}

function toExpression(pattern: string): RegExp {
  const path = pattern.replace(/^\//, '').replace(/\/$/, '');
  const isAnchored = /^\/|\/./.test(pattern);
  const source = path
    .split(/(\*\*\/?|\*|\?)/)
    .map((part) =>
      part.startsWith('**')
        ? '.*'
        : part === '*'
          ? '[^/]*'
          : part === '?'
            ? '[^/]'
            : part.replace(/[.+^${}()|[\]\\]/g, '\\$&'),
    )
    .join('');
  return new RegExp(`${isAnchored ? '^' : '(?:^|/)'}${source}(?:/|$)`);
}

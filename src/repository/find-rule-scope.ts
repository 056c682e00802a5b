const maxFrontLength = 4_000;
/** All pages, or all of a folder at the root. */
const everyPage = /^(?:[\w.-]{1,100}\/)?(?:\*\*|(?:\*\*\/)?\*(?:\.(?:mdx?|\{[^{}]{0,100}\}))?)$/;
const somePages = /\.(?:mdx?|\{[^{}]{0,100}mdx?)|(?:^|\/)docs?\//;

/**
 * When a rule of Cursor or Copilot is about pages: `sometimes` are rules for some folders of them, and those that an agent chooses by
 * their description. https://cursor.com/docs/context/rules,
 * https://docs.github.com/en/copilot/how-tos/configure-custom-instructions/add-repository-instructions
 */
export function findRuleScope(rule: string): 'always' | 'sometimes' | 'never' {
  const front = readFront(rule);
  if (front === undefined || /^alwaysApply:[ \t]*true\b/m.test(front)) return 'always';
  const globs = listGlobs(front);
  if (globs.some((glob) => everyPage.test(glob) && (/md/.test(glob) || !/\.\{/.test(glob)))) return 'always';
  if (globs.length > 0) return globs.some((glob) => somePages.test(glob)) ? 'sometimes' : 'never';
  return /^description:[ \t]*\S/m.test(front) ? 'sometimes' : 'never';
}

/** What its front matter says of a rule: the description, and the files that it is for. */
export function describeRule(rule: string): string {
  const front = readFront(rule) ?? '';
  const described = /^description:[ \t]*(\S.*)$/m.exec(front)?.[1] ?? '';
  const globs = listGlobs(front).join(', ');
  return globs === '' ? described : `${described} (for ${globs})`.trim();
}

const readFront = (rule: string): string | undefined =>
  /^---\r?\n([\s\S]*?)\n---/.exec(rule.slice(0, maxFrontLength))?.[1];

/** Reads globs from a line with commas, or from a list. Commas in braces part no globs. */
function listGlobs(front: string): string[] {
  const [, value = ''] = /^(?:globs|applyTo):[ \t]*(.*(?:\r?\n[ \t]*-.*)*)/m.exec(front) ?? [];
  return value
    .split(/\r?\n[ \t]*-|,(?![^{}\n]{0,200}\})/)
    .map((glob) => glob.replace(/["'[\]]/g, '').trim())
    .filter(Boolean);
}

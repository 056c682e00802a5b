import type { Check, Outcome } from './outcome.ts';

const maxTitleCharacters = 80;

/** All texts of the agent for people. */
const listTexts = ({ pullRequest, ends }: Outcome): string[] => [
  ...ends.flatMap(({ answer, replies }) => [answer, ...replies.map((reply) => reply ?? '')]),
  ...(pullRequest ? [pullRequest.title, pullRequest.body] : []),
];

/** A pull request with a title of one short line, and no run that failed. */
export const opensPullRequest: Check = ({ pullRequest, ends }) => {
  const failed = ends.filter(({ code }) => code !== 'published' && code !== 'unchanged');
  const title = pullRequest?.title ?? '';
  return [
    ...failed.map(({ code, answer }) => `a run ended with ${code}: ${answer}`),
    ...(pullRequest ? [] : ['there is no pull request']),
    ...(pullRequest && (title.trim() === '' || title.includes('\n') || title.length > maxTitleCharacters)
      ? [`the title of the pull request is ${JSON.stringify(title)}`]
      : []),
  ];
};

/** Somewhere in its answers, replies or pull request it says this. */
export const says =
  (...patterns: RegExp[]): Check =>
  (outcome) => {
    const text = listTexts(outcome).join('\n');
    return patterns.filter((pattern) => !pattern.test(text)).map((pattern) => `nothing that it says has ${pattern}`);
  };

export const saysNever =
  (...patterns: RegExp[]): Check =>
  (outcome) => {
    const text = listTexts(outcome).join('\n');
    return patterns.filter((pattern) => pattern.test(text)).map((pattern) => `it says ${pattern}`);
  };

/** The run with that index answers each remark of its review. */
export const repliesToAll =
  (run: number, remarks: number): Check =>
  ({ ends }) =>
    Array.from({ length: remarks }, (_, index) => index)
      .filter((index) => !ends[run]?.replies[index]?.trim())
      .map((index) => `remark ${index + 1} has no reply`);

export const replyHas =
  (run: number, remark: number, pattern: RegExp): Check =>
  ({ ends }) =>
    pattern.test(ends[run]?.replies[remark] ?? '')
      ? []
      : [`the reply to remark ${remark + 1} does not have ${pattern}`];

/** Some run names the file, of whichever repository, as what the page rests on. */
export const restsOn =
  (page: string, path: string): Check =>
  ({ ends }) => {
    const found = ends.flatMap(({ evidence }) => evidence).filter((each) => each.page === page);
    const isNamed = found.some((each) => each.path === path || each.path.endsWith(`/${path}`));
    return isNamed ? [] : [`${page} does not name ${path} as evidence`];
  };

/** Colors, links and other codes of terminals: https://en.wikipedia.org/wiki/ANSI_escape_code */
const escapeCode =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: an escape code begins with one.
  /\u001b(?:\[[0-?]{0,40}[ -/]{0,4}[@-~]|\][^\u0007\u001b\n]{0,2000}(?:\u0007|\u001b\\))/g;
/** GitHub begins each line with its time. */
const time = /^\d{4}-\d\d-\d\dT[\d:.]{8,20}Z ?/;

const mark = '##[error]';

/**
 * The end of a log of GitHub Actions up to its last error: what comes later only cleans up. At most `maxBytes` of whole lines, without times
 * and codes. Linear. https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
 */
export function cutLog(log: string, maxBytes: number): string {
  const lines = cleanLog(log).split('\n');
  const last = lines.findLastIndex((line) => line.includes(mark));
  const ended = (last < 0 ? lines : lines.slice(0, last + 1)).filter((line) => !isNoise(line));
  const kept: string[] = [];
  let left = maxBytes;
  for (const line of ended.toReversed()) {
    const shown = line.slice(0, 1_000);
    left -= Buffer.byteLength(shown) + 1;
    if (left < 0) break;
    kept.push(shown);
  }
  return kept.toReversed().join('\n').trim();
}

/** The lines without times and codes: a key of several lines is one again. */
export const cleanLog = (log: string): string =>
  log
    .split(/\r?\n/)
    .map((line) => line.replace(time, '').replaceAll(escapeCode, ''))
    .join('\n');

const isNoise = (line: string): boolean => line.startsWith('##[group]') || line.startsWith('##[endgroup]');

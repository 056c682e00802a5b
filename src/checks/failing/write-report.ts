import type { CheckAnnotation } from '../../github/calls/check-calls.ts';
import { bound } from '../../text/bound.ts';
import { withoutInvisible } from '../../text/invisible.ts';
import { storable } from '../../text/storable.ts';
import { cutLog } from './cut-log.ts';
import type { FailingCheck } from './judge-checks.ts';

export const maxReportBytes = 24 * 1024;
export const maxReported = 10;
const maxAnnotations = 50;
const maxTextLength = 4_000;
const leastShare = 200;
const separator = '\n\n';

/** A failing check with what was read of it. */
export interface ReadCheck {
  check: FailingCheck;
  annotations: readonly CheckAnnotation[];
  /** The end of the log of GitHub Actions; undefined: it was not read. */
  log: string | undefined;
  /** Why something could not be read. */
  note?: string | undefined;
}

/**
 * What failing checks say, for the agent: material, at most 24 KB in UTF-8. Each check has an even share; what is short leaves room for the
 * others. Pure, linear.
 */
export function writeReport(checks: readonly ReadCheck[]): string {
  const shown = checks.slice(0, maxReported);
  const more = checks.length - shown.length;
  const rest = more > 0 ? `\n\nand ${more} more` : '';
  let left = maxReportBytes - Buffer.byteLength(rest);
  const wholes = shown.map((check, index) => ({ check, index, whole: writeCheck(check, maxReportBytes) }));
  const sizeOf = ({ whole }: { whole: string }) => Buffer.byteLength(whole);
  const written: string[] = [];
  // The short ones first, so that the long ones know what is left.
  for (const [place, each] of wholes.toSorted((one, other) => sizeOf(one) - sizeOf(other)).entries()) {
    const share = Math.floor(left / (wholes.length - place)) - separator.length;
    const text = sizeOf(each) <= share ? each.whole : writeCheck(each.check, share);
    written[each.index] = text;
    left -= Buffer.byteLength(text) + separator.length;
  }
  return storable(`${written.join(separator)}${rest}`);
}

function writeCheck({ check, annotations, log, note }: ReadCheck, maxBytes: number): string {
  const head = [`Check: ${oneLine(check.name, 200)}`, ...describe(check), ...(note === undefined ? [] : [note])];
  const found = annotations.toSorted(bySeverity).slice(0, maxAnnotations).map(writeAnnotation);
  const all = check.kind === 'run' ? Math.max(check.run.annotations, annotations.length) : annotations.length;
  const more = all - found.length;
  const listed = [...found, ...(more > 0 ? [`- and ${more} more`] : [])];
  const start = cutBytes(
    withoutInvisible([...head, ...listed].join('\n')),
    log === undefined ? maxBytes : Math.floor(maxBytes / 2),
  );
  const left = maxBytes - Buffer.byteLength(start) - '\nThe end of its log:\n'.length;
  if (log === undefined || left < leastShare) return start;
  const end = cutLog(withoutInvisible(log), left);
  return end === '' ? start : `${start}\nThe end of its log:\n${end}`;
}

function describe(check: FailingCheck): string[] {
  if (check.kind === 'status') return [oneLine(check.status.description, 500)].filter(Boolean);
  const { title, summary, text } = check.run;
  return [oneLine(title, 300), bound(summary.trim(), maxTextLength), bound(text.trim(), maxTextLength)].filter(Boolean);
}

const levels = ['failure', 'warning', 'notice'];
const bySeverity = (one: CheckAnnotation, other: CheckAnnotation): number =>
  levels.indexOf(one.level) - levels.indexOf(other.level);

const writeAnnotation = ({ path, line, level, title, message }: CheckAnnotation): string =>
  `- ${oneLine(path, 300)}:${line} ${level}: ${[oneLine(title, 200), bound(message.trim(), 1_000)].filter(Boolean).join(': ')}`;

const oneLine = (text: string, maxLength: number) =>
  bound(text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim(), maxLength);

function cutBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let end = Math.max(maxBytes, 0);
  // A letter of several bytes stays whole or goes.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString('utf8');
}

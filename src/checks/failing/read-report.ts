import type { CheckAnnotation } from '../../github/calls/check-calls.ts';
import type { RepositoryClient } from '../../github/calls/repository-client.ts';
import { askIfGranted } from '../../github/refusals/github-refusal.ts';
import { findSecrets, maskSecrets } from '../../secrets/scanner.ts';
import type { Project } from '../../store/tables/repositories/projects.ts';
import { bound } from '../../text/bound.ts';
import { withoutInvisible } from '../../text/invisible.ts';
import { storable } from '../../text/storable.ts';
import type { ThreadTask } from '../../threads/threads.ts';
import type { CheckParts } from '../check-parts.ts';
import type { FailingCheck } from './judge-checks.ts';

/**
 * The report without what looks like a key: GitHub hides only the secrets that it knows. Logs are searched before they are cut, because half a
 * key is no longer recognized.
 */
export async function writeSafeReport(checks: readonly ReadCheck[]): Promise<string> {
  const safe: ReadCheck[] = [];
  for (const each of checks.slice(0, maxReported))
    safe.push({ ...each, log: each.log && (await hideKeys(cleanLog(each.log))) });
  return hideKeys(writeReport([...safe, ...checks.slice(maxReported)]));
}

const hideKeys = async (text: string) => maskSecrets(text, await findSecrets(text));

const writeReportTask: ThreadTask<readonly ReadCheck[], string> = { module: import.meta.url, work: writeSafeReport };

/** At most two requests for each of ten checks. */
export async function readReport(
  { openProject, runTask, redact }: CheckParts,
  { project, client, failing }: { project: Project; client: RepositoryClient; failing: readonly FailingCheck[] },
  signal: AbortSignal,
): Promise<string> {
  const jobs = failing.slice(0, maxReported).map(findJobId);
  const logs = jobs.some((jobId) => jobId !== undefined)
    ? await askIfGranted(async () => {
        await using access = await openProject(project, { actions: 'read' }, signal);
        const texts: (string | undefined)[] = [];
        for (const jobId of jobs) texts.push(jobId === undefined ? undefined : await access.client.fetchJobLog(jobId));
        return texts;
      })
    : [];
  const read: ReadCheck[] = [];
  for (const [index, check] of failing.entries()) {
    const hasAnnotations = index < maxReported && check.kind === 'run' && check.run.annotations > 0;
    read.push({
      check,
      annotations: hasAnnotations ? await client.listAnnotations(check.run.checkRunId) : [],
      log: logs?.[index],
      note: logs === undefined && jobs[index] !== undefined ? unread : undefined,
    });
  }
  return redact(await runTask(writeReportTask, read, signal));
}

const unread = 'Its log was not read: the installation does not grant `actions: read`.';

/** GitHub shows a job of Actions at `…/actions/runs/1/job/2`. */
function findJobId(check: FailingCheck): number | undefined {
  if (check.kind !== 'run' || check.run.appSlug !== 'github-actions') return undefined;
  const [, id] = /\/job\/(\d{1,15})$/.exec(check.url ?? '') ?? [];
  return id === undefined ? undefined : Number(id);
}

export const maxReportBytes = 24 * 1024;
const maxReported = 10;
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
const cleanLog = (log: string): string =>
  log
    .split(/\r?\n/)
    .map((line) => line.replace(time, '').replaceAll(escapeCode, ''))
    .join('\n');

const isNoise = (line: string): boolean => line.startsWith('##[group]') || line.startsWith('##[endgroup]');

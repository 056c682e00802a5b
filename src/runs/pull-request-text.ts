import { bound, firstLine } from '../text/bound.ts';
import { quiet, quietMarkdown, quietPlain } from '../text/quiet.ts';

/** One instruction of the job, as the pull request lists it. */
export interface Asked {
  author: string;
  source: string;
  prompt: string;
  askedAt: Date;
}

const maxTitleLength = 120;
/** GitHub takes 65,536 characters in a body: these leave room for a template of 20,000 at most. */
const maxDescriptionLength = 20_000;
const maxAskedPromptLength = 400;
const maxAsked = 40;

const sectionStart = '<!-- pagewright:start -->';
const sectionEnd = '<!-- pagewright:end -->';

/** The title of the pull request: what the agent called it, else what it was called before, else the first instruction. */
export function writeTitle({
  title,
  previous,
  prompt,
}: {
  title?: string | undefined;
  previous: string | null;
  prompt: string;
}): string {
  const chosen = title?.trim() || previous || firstLine(prompt, 70) || 'Update the documentation';
  return firstLine(quietPlain(chosen), maxTitleLength);
}

/** Our own section of the body: the whole change of the job, and everything that was asked, by whom and when. */
export function writeSection({
  description,
  asked,
  limit,
}: {
  description: string;
  asked: Asked[];
  /** Said first: the run reached a limit, so this may be half of what was asked. */
  limit?: string | undefined;
}): string {
  const warning = limit ? [`> [!WARNING]\n> ${quiet(limit)}`] : [];
  const about = boundQuieted(description, maxDescriptionLength, quietMarkdown);
  return [sectionStart, ...warning, about, '## What was asked', writeAsked(asked), sectionEnd].join('\n\n');
}

function writeAsked(asked: Asked[]): string {
  const shown = asked.slice(-maxAsked);
  const left = asked.length - shown.length;
  const lines = shown.map(({ author, source, prompt, askedAt }) => {
    const text = boundQuieted(prompt, maxAskedPromptLength, (words) => quiet(words).replaceAll('\n', '\n  > '));
    return `- **${quiet(author)}** (${source}), ${writeMoment(askedAt)}:\n  > ${text}`;
  });
  return (left > 0 ? [`- ${left} earlier instructions`, ...lines] : lines).join('\n');
}

/** Cut before it is quieted: a cut through one of the comments that quiet a text would hide all that follows it. */
function boundQuieted(text: string, maxLength: number, quieten: (text: string) => string): string {
  for (let room = maxLength; ; room = Math.floor(room / 2)) {
    const quieted = quieten(bound(text.trim(), room)).trim();
    if (quieted.length <= maxLength) return quieted;
  }
}

const writeMoment = (moment: Date) => `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/**
 * The body of a new pull request: our section, then the repository's template if the description did not follow it, and the
 * hidden marker that names the job.
 */
export function writeNewBody({
  section,
  template,
  jobId,
}: {
  section: string;
  template: string | undefined;
  jobId: string;
}): string {
  const form = template && !followsTemplate(section, template) ? [template.trim()] : [];
  return [section, ...form, `<!-- pagewright:job ${jobId} -->`].join('\n\n');
}

/** A template is followed when its headings stand in the text; one without headings is never followed by itself. */
function followsTemplate(section: string, template: string): boolean {
  const headings =
    template.match(/^#{1,6} .+$/gm)?.map((heading) => heading.replace(/^#+/, '').trim().toLowerCase()) ?? [];
  const text = section.toLowerCase();
  return headings.length > 0 && headings.every((heading) => text.includes(heading));
}

/**
 * The body with our section replaced and every other character kept: those are a person's. Undefined when our section is not
 * there any more, because somebody rewrote the body: it is theirs then.
 */
export function replaceSection(body: string, section: string): string | undefined {
  const start = body.indexOf(sectionStart);
  const end = body.indexOf(sectionEnd, start);
  if (start < 0 || end < 0) return undefined;
  return body.slice(0, start) + section + body.slice(end + sectionEnd.length);
}

/** The one comment of a later run. The marker at its end makes it findable again. */
export function writeComment({
  summary,
  commitUrl,
  limit,
  runId,
}: {
  summary: string;
  commitUrl: string | undefined;
  limit?: string | undefined;
  runId: string;
}): string {
  const commit = commitUrl ? [`Commit: ${commitUrl}`] : [];
  const about = boundQuieted(summary, maxDescriptionLength, quietMarkdown);
  return [...(limit ? [`**${quiet(limit)}**`] : []), about, ...commit, commentMarker(runId)].join('\n\n');
}

export const commentMarker = (runId: string) => `<!-- pagewright:${runId}:comment -->`;

export interface CoAuthor {
  name: string;
  email: string;
}

/** Message of the one commit of a run: subject, summary, and the trailers that say where it came from and who asked. */
export function writeCommitMessage({
  subject,
  summary,
  runId,
  coAuthors = [],
}: {
  subject: string;
  summary: string;
  runId: string;
  coAuthors?: CoAuthor[];
}): string {
  const body = bound(quietPlain(summary).trim(), 4_000);
  const credits = new Set(coAuthors.map(({ name, email }) => `Co-authored-by: ${name} <${email}>`));
  const trailers = [`Pagewright-Run: ${runId}`, ...credits].join('\n');
  return [firstLine(quietPlain(subject), 72), ...(body ? [body] : []), trailers].join('\n\n').concat('\n');
}

import { bound, boundNeutralized, firstLine } from '../../text/bound.ts';
import { neutralize, neutralizeCode, neutralizeMarkdown, neutralizePlain } from '../../text/neutralize.ts';

/** An instruction as the pull request lists it. */
export interface Asked {
  author: string;
  source: string;
  prompt: string;
  askedAt: Date;
}

const maxTitleLength = 120;
/** GitHub allows 65,536 characters in a body. These limits leave room for a template of 20,000. */
const maxDescriptionLength = 20_000;
const maxAskedPromptLength = 400;
const maxAsked = 40;

/** A carriage return ends a line, and so a quotation, too. https://spec.commonmark.org/0.31.2/#line-ending */
const lineEnd = /\r\n?|\n/g;

const sectionStart = '<!-- pagewright:start -->';
const sectionEnd = '<!-- pagewright:end -->';

/** The agent's title, else the previous title, else the first instruction. */
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
  return firstLine(neutralizePlain(chosen), maxTitleLength);
}

/** Pagewright's section of the body: the whole change of the job, and all its instructions with author and time. */
export function writeSection({
  description,
  asked,
  limit,
  problems = [],
  sources = [],
}: {
  description: string;
  asked: Asked[];
  /** The limit that ended the work, which may be half done. Comes first. */
  limit?: string | undefined;
  /** Mistakes in the repository's settings. */
  problems?: readonly string[];
  /** The repository's files that the run followed. */
  sources?: readonly string[];
}): string {
  const warned = [...(limit ? [limit] : []), ...(problems.length > 0 ? [writeProblems(problems)] : [])];
  const warning = warned.map((text) => `> [!WARNING]\n> ${text.split(lineEnd).map(neutralize).join('\n> ')}`);
  const about = boundNeutralized(description, maxDescriptionLength, neutralizeMarkdown);
  const read = sources.length > 0 ? [`Followed: ${sources.map(neutralizeCode).join(', ')}.`] : [];
  return [sectionStart, ...warning, about, '## What was asked', writeAsked(asked), ...read, sectionEnd].join('\n\n');
}

const writeProblems = (problems: readonly string[]) =>
  ['The settings of this repository have mistakes:', ...problems.map((problem) => `- ${problem}`)].join('\n');

function writeAsked(asked: Asked[]): string {
  const shown = asked.slice(-maxAsked);
  const left = asked.length - shown.length;
  const lines = shown.map(({ author, source, prompt, askedAt }) => {
    const text = boundNeutralized(prompt, maxAskedPromptLength, (words) =>
      neutralize(words).replace(lineEnd, '\n  > '),
    );
    return `- **${neutralize(author)}** (${source}), ${writeMoment(askedAt)}:\n  > ${text}`;
  });
  return (left > 0 ? [`- ${left} earlier instructions`, ...lines] : lines).join('\n');
}

const writeMoment = (moment: Date) => `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** The body of a new pull request: Pagewright's section, the repository's template if the description does not follow it, and a hidden marker with the job. */
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

/** Whether the text has all headings of the template. A template without headings is never followed. */
function followsTemplate(section: string, template: string): boolean {
  const headings =
    template.match(/^#{1,6} .+$/gm)?.map((heading) => heading.replace(/^#+/, '').trim().toLowerCase()) ?? [];
  const text = section.toLowerCase();
  return headings.length > 0 && headings.every((heading) => text.includes(heading));
}

/** Replaces Pagewright's section and keeps every other character. Undefined when a person removed the section: the body is theirs then. */
export function replaceSection(body: string, section: string): string | undefined {
  const start = body.indexOf(sectionStart);
  const end = body.indexOf(sectionEnd, start);
  if (start < 0 || end < 0) return undefined;
  return body.slice(0, start) + section + body.slice(end + sectionEnd.length);
}

export interface CoAuthor {
  name: string;
  email: string;
}

/** The trailer that names the run of a commit. */
export const runTrailer = (runId: string) => `Pagewright-Run: ${runId}`;

/** The commit message of a run: subject, summary, and trailers for the run and its co-authors. */
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
  const body = bound(neutralizePlain(summary).trim(), 4_000);
  const credits = new Set(coAuthors.map(({ name, email }) => `Co-authored-by: ${name} <${email}>`));
  const trailers = [runTrailer(runId), ...credits].join('\n');
  return [firstLine(neutralizePlain(subject), 72), ...(body ? [body] : []), trailers].join('\n\n').concat('\n');
}

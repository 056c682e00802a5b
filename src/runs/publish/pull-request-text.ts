import { bound, boundNeutralized, firstLine } from '../../text/bound.ts';
import { neutralize, neutralizeCode, neutralizeMarkdown, neutralizePlain } from '../../text/neutralize.ts';

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

/** A carriage return ends a line too, and with it a quotation. https://spec.commonmark.org/0.31.2/#line-ending */
const lineEnd = /\r\n?|\n/g;

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
  return firstLine(neutralizePlain(chosen), maxTitleLength);
}

/** Our own section of the body: the whole change of the job, and everything that was asked, by whom and when. */
export function writeSection({
  description,
  asked,
  limit,
  problems = [],
  sources = [],
}: {
  description: string;
  asked: Asked[];
  /** Said first: the run reached a limit, so this may be half of what was asked. */
  limit?: string | undefined;
  /** What is wrong with the repository's settings. */
  problems?: readonly string[];
  /** The files of the repository that say how it wants the work done. */
  sources?: readonly string[];
}): string {
  const warned = [...(limit ? [limit] : []), ...(problems.length > 0 ? [writeProblems(problems)] : [])];
  const warning = warned.map((text) => `> [!WARNING]\n> ${text.split(lineEnd).map(neutralize).join('\n> ')}`);
  const about = boundNeutralized(description, maxDescriptionLength, neutralizeMarkdown);
  const read = sources.length > 0 ? [`Followed: ${sources.map(neutralizeCode).join(', ')}.`] : [];
  return [sectionStart, ...warning, about, '## What was asked', writeAsked(asked), ...read, sectionEnd].join('\n\n');
}

const writeProblems = (problems: readonly string[]) =>
  ['The settings of this repository could not be used as they are:', ...problems.map((problem) => `- ${problem}`)].join(
    '\n',
  );

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

export interface CoAuthor {
  name: string;
  email: string;
}

/** The line of a commit's message that says which run made it. */
export const runTrailer = (runId: string) => `Pagewright-Run: ${runId}`;

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
  const body = bound(neutralizePlain(summary).trim(), 4_000);
  const credits = new Set(coAuthors.map(({ name, email }) => `Co-authored-by: ${name} <${email}>`));
  const trailers = [runTrailer(runId), ...credits].join('\n');
  return [firstLine(neutralizePlain(subject), 72), ...(body ? [body] : []), trailers].join('\n\n').concat('\n');
}

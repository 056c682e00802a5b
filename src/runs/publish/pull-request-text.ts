import { bound, firstLine } from '../../text/bound.ts';
import type { OutgoingContext } from '../../text/neutralize/addresses.ts';
import { neutralizeBounded, neutralizeMarkdown } from '../../text/neutralize/neutralize-markdown.ts';
import { neutralizePlain } from '../../text/neutralize/neutralize-plain.ts';
import { writeCode } from '../../text/neutralize/write-code.ts';
import { writeMinute } from '../../text/write-minute.ts';
import type { CheckReport } from '../check-report.ts';
import type { Evidence } from '../publication.ts';
import { followsTemplate } from './follows-template.ts';
import { writeChecks } from './write-checks.ts';
import { type Documented, writeDocuments } from './write-documents.ts';
import { writeEvidence } from './write-evidence.ts';

interface Instruction {
  author: string;
  source: string;
  /** null: it is not published. */
  prompt: string | null;
  askedAt: Date;
  /** How many the model did not see. */
  images?: number;
}

const maxTitleLength = 120;
/** GitHub allows 65,536 characters in a body. These limits leave room for a template of 20,000. */
const maxDescriptionLength = 12_000;
/** Includes what neutralizing adds. */
const maxChecksLength = 4_000;
/** Includes what neutralizing adds. */
const maxEvidenceLength = 6_000;
const maxInstructionLength = 400;
/** Includes its author, and what neutralizing adds. */
const maxItemLength = 600;
const maxInstructions = 40;

/** A carriage return also ends a line, and so a quotation: https://spec.commonmark.org/0.31.2/#line-ending */
const lineEnd = /\r\n?|\n/g;

const sectionStart = '<!-- pagewright:start -->';
const sectionEnd = '<!-- pagewright:end -->';

export function writeTitle(options: {
  title?: string | undefined;
  previous: string | null;
  /** null: it is not published. */
  prompt: string | null;
  context: OutgoingContext;
}): string {
  const { title, previous, prompt, context } = options;
  const chosen = title?.trim() || previous || firstLine(prompt ?? '', 70) || 'Update the documentation';
  return firstLine(neutralizePlain(chosen, context), maxTitleLength);
}

/** What a reviewer should look at. */
export interface Notes {
  /** Addresses in pages, on hosts that are new to the site. */
  addresses: readonly string[];
  /** Files that only `also` of the settings lets the agent write. */
  opened: readonly string[];
}

/** The whole change of the job, and all its instructions. */
export interface SectionParts {
  description: string;
  instructions: Instruction[];
  /** What its automation documents; none: no automation began it. */
  documents?: readonly Documented[];
  /** Issues and pull requests of the repository where people asked for it. */
  askedOn?: readonly { kind: 'issue' | 'pull_request'; number: number }[];
  /** The limit that ended the work. */
  limit?: string | undefined;
  /** Mistakes in the repository's settings. */
  problems?: readonly string[];
  /** The repository's files that the run followed. */
  sources?: readonly string[];
  notes?: Notes;
  checks?: CheckReport | undefined;
  /** The newest last. */
  evidence?: readonly Evidence[];
  context: OutgoingContext;
}

export function writeSection(request: SectionParts): string {
  const { description, instructions, limit, checks, context } = request;
  const { documents = [], askedOn = [], problems = [], sources = [], notes = { addresses: [], opened: [] } } = request;
  const { evidence = [] } = request;
  const warnings = [
    ...(notes.opened.length > 0 ? [writeOpened(notes.opened)] : []),
    ...(limit ? [limit] : []),
    ...(problems.length > 0 ? [writeProblems(problems)] : []),
  ];
  const warning = warnings.map((text) => `> [!WARNING]\n> ${text.replace(lineEnd, '\n> ')}`);
  const followed =
    sources.length > 0
      ? [`Files of the repository that the agent followed: ${sources.map(writeCode).join(', ')}.`]
      : [];
  const shown = [neutralizeBounded(description, maxDescriptionLength, context), ...askedOn.map(writeAskedOn)].join(
    '\n\n',
  );
  const details = [
    ...(evidence.length > 0
      ? ['## Evidence', neutralizeBounded(writeEvidence(evidence), maxEvidenceLength, context)]
      : []),
    ...(checks ? ['## Checks', neutralizeBounded(writeChecks(checks), maxChecksLength, context)] : []),
    '## Instructions',
    writeInstructions(instructions, context),
    ...followed.map((text) => neutralizeMarkdown(text, context)),
    ...(notes.addresses.length > 0 ? [neutralizeMarkdown(writeNewAddresses(notes.addresses), context)] : []),
  ];
  const start = [sectionStart, ...warning.map((text) => neutralizeMarkdown(text, context))];
  const rest =
    documents.length > 0
      ? fold(shown, { start, documents: writeDocuments(documents, context), details })
      : [shown, ...details];
  return [...start, ...rest, sectionEnd].join('\n\n');
}

/** A reviewer of what nobody asked for reads so much, and opens the rest. */
const maxBeforeFold = 2_500;

function fold(
  description: string,
  { start, documents, details }: { start: readonly string[]; documents: readonly string[]; details: readonly string[] },
): string[] {
  const heading = '## Documents';
  const room = maxBeforeFold - [...start, '', heading, '', ''].join('\n\n').length;
  // At least one, and then as many as leave half of the room to the description.
  const space = Math.max(room - description.length, Math.floor(room / 2));
  const fitting = documents.filter((_, index) => documents.slice(0, index + 1).join('\n').length <= space).length;
  const count = Math.max(fitting, 1);
  const first = documents.slice(0, count).join('\n');
  const later = documents.slice(count);
  const more = later.length > 0 ? '\n- and more, in the details' : '';
  const { start: shown, rest } = cutAtLine(description, room - first.length - more.length);
  const folded = [
    ...(rest === '' ? [] : [rest]),
    ...(later.length > 0 ? ['## More documents', later.join('\n')] : []),
    ...details,
  ].join('\n\n');
  return [
    ...(shown === '' ? [] : [shown]),
    heading,
    `${first}${more}`,
    `<details><summary>Details</summary>\n\n${folded}\n\n</details>`,
  ];
}

/** After a paragraph, or else after a line. Not inside a block of code, whose end would be missing. */
function cutAtLine(text: string, maxLength: number): { start: string; rest: string } {
  if (text.length <= maxLength) return { start: text, rest: '' };
  for (const end of ['\n\n', '\n'])
    for (let at = text.lastIndexOf(end, maxLength); at > 0; at = text.lastIndexOf(end, at - 1)) {
      const start = text.slice(0, at);
      const isWhole = (start.match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0) % 2 === 0;
      if (isWhole) return { start, rest: text.slice(at).replace(/^\n+/, '') };
    }
  return { start: '', rest: text };
}

/** GitHub closes the issue with the merge into the default branch. */
const writeAskedOn = ({ kind, number }: { kind: 'issue' | 'pull_request'; number: number }): string =>
  kind === 'issue' ? `Resolves #${number}` : `For #${number}`;

const maxOpened = 10;

function writeOpened(paths: readonly string[]): string {
  const more = paths.length > maxOpened ? ` and ${paths.length - maxOpened} more` : '';
  return `This change includes files that are not pages: ${paths.slice(0, maxOpened).join(', ')}${more}. The setting \`also\` allows them, or pages include them. Review these files carefully before you merge, because the site may load them.`;
}

const maxAddresses = 20;

/** As code, so that nobody follows one before reading it. */
function writeNewAddresses(addresses: readonly string[]): string {
  const more = addresses.length - maxAddresses;
  const shown = addresses.slice(0, maxAddresses).map((address) => `- ${writeCode(bound(address, 200))}`);
  const lines = more > 0 ? [...shown, `- and ${more} more`] : shown;
  return `## New external addresses\n\nNo page of the base branch mentions these hosts.\n\n${lines.join('\n')}`;
}

const writeProblems = (problems: readonly string[]) =>
  ['The settings of this repository have mistakes:', ...problems.map((problem) => `- ${problem}`)].join('\n');

function writeInstructions(instructions: Instruction[], context: OutgoingContext): string {
  const shown = instructions.slice(-maxInstructions);
  const hiddenCount = instructions.length - shown.length;
  const lines = shown.map(({ author, source, prompt, askedAt, images = 0 }, index) => {
    // An automation asks the same each time.
    const isRepeated = source === 'automation' && shown.slice(0, index).some((earlier) => earlier.prompt === prompt);
    const quoted =
      prompt === null || isRepeated
        ? ''
        : `:\n  > ${bound(prompt.trim(), maxInstructionLength).replace(lineEnd, '\n  > ')}`;
    const unseen = images === 0 ? '' : ` (${images === 1 ? '1 image was' : `${images} images were`} not seen)`;
    return neutralizeBounded(
      `- **${author}** (${source}), ${writeMinute(askedAt)} UTC${unseen}${quoted}`,
      maxItemLength,
      context,
    );
  });
  return (hiddenCount > 0 ? [`- ${hiddenCount} earlier instructions`, ...lines] : lines).join('\n');
}

export function writeNewBody(options: { section: string; template: string | undefined; jobId: string }): string {
  const { section, template, jobId } = options;
  const form = template && !followsTemplate(section, template) ? [template.trim()] : [];
  return [section, ...form, `<!-- pagewright:job ${jobId} -->`].join('\n\n');
}

/** Keeps every other character. Undefined when a person removed the section. */
export function replaceOwnSection(body: string, section: string): string | undefined {
  const start = body.indexOf(sectionStart);
  const end = body.indexOf(sectionEnd, start);
  if (start < 0 || end < 0) return undefined;
  return body.slice(0, start) + section + body.slice(end + sectionEnd.length);
}

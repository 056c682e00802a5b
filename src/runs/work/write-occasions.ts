import { nameOccasion } from '../../jobs/name-occasion.ts';
import type { OccasionSubject } from '../../store/tables/columns.ts';
import { oneLine } from '../escape-elements.ts';

/** What an automation tells the agent beside its instruction. `escaped` keeps a text from closing our elements. */
export function writeOccasions(occasions: readonly OccasionSubject[], escaped: (text: string) => string): string {
  const listed = occasions.map((occasion) => `- ${escaped(oneLine(describe(occasion)))}`);
  const texts = occasions.flatMap((occasion) => {
    const { text } = occasion;
    const name = JSON.stringify(escaped(oneLine(nameOccasion(occasion))));
    return text ? [`<occasion name=${name}>\n${escaped(text.trim())}\n</occasion>`] : [];
  });
  const isAboutCode = occasions.some(({ kind }) => kind === 'pull_request');
  return [`${reason}\n${listed.join('\n')}`, ...texts, isAboutCode ? aboutChanges : aboutNothing].join('\n\n');
}

const reason = 'An automation of the settings sent this message, and nobody waits for an answer. It runs because of:';

const aboutChanges = `Find the pages that speak of what changed: search for the names in the patches, such as identifiers, flags, routes, settings and defaults. Change only these pages, and only what their readers need to know. Say in evidence where each statement rests. Where the text of a pull request and the code contradict each other, the code counts.
If readers need to know nothing, because the change is internal (refactoring, tests, build) or the pages say it already, change nothing. Then begin the summary with "Nothing to document:" and the reason.`;

const aboutNothing =
  'If nothing needs to change, change nothing. Then begin the summary with "Nothing to document:" and the reason.';

function describe(occasion: OccasionSubject): string {
  const { kind, title, author } = occasion;
  const name = nameOccasion(occasion);
  const by = author ? `, by ${author.login}` : '';
  switch (kind) {
    case 'pull_request':
      return `pull request ${name}${title ? `: ${title}` : ''}${by}`;
    case 'release':
      return `release ${name}${by}`;
    case 'issue':
      return `issue ${name}${title ? `: ${title}` : ''}${by}`;
    case 'time':
      return `its schedule, at ${name}`;
    case 'request':
      return `a request: ${name}`;
  }
}

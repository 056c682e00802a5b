import { writeLines } from '../../jobs/shown-publication.ts';
import { bound } from '../../text/bound.ts';
import { writeCode, writePlain } from '../../text/neutralize/write-code.ts';
import type { Evidence } from '../publication.ts';
import { listWithin } from './write-checks.ts';

const maxShown = 30;
const maxClaimLength = 200;
const maxPathLength = 120;
const maxLength = 4_500;

/** For people on GitHub: page, claim and a permanent link. Has to be neutralized. Names no repository that a reader may not see. */
export function writeEvidence(evidence: readonly Evidence[]): string {
  const latest = [...new Map(evidence.map((each) => [`${each.page} ${each.claim}`, each])).values()];
  const shown = latest.filter(({ isShown }) => isShown);
  const lines = listWithin(shown.slice(-maxShown).map(writeLine), maxLength);
  const rest = shown.length - lines.length;
  const hidden = latest.length - shown.length;
  const places = lines.length > 0 ? `${hidden} more` : hidden === 1 ? '1 place' : `${hidden} places`;
  return [
    ...lines,
    ...(rest > 0 ? [`- and ${rest} more`] : []),
    ...(hidden > 0
      ? [`- ${places} in repositories that not everybody who reads this may open: see the dashboard.`]
      : []),
  ].join('\n');
}

function writeLine({ page, claim, repository, path, lines, url }: Evidence): string {
  const place = lines === null ? path : `${path}:${writeLines(lines)}`;
  const text = writePlain(claim, maxClaimLength);
  const label = writeCode(bound(`${repository}/${place}`, maxPathLength));
  return `- ${writeCode(bound(page, maxPathLength))}: ${text} ([${label}](${url}))`;
}

// Prints the section of CHANGELOG.md for a tag: node .github/release-notes.mjs v1.2.3
import { readFileSync } from 'node:fs';

const version = process.argv[2]?.replace(/^v/, '');
const sections = readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8').split(/^## /m);
const section = sections.find((text) => text.split(/\s/, 1)[0]?.replace(/[[\]]/g, '') === version);
const notes = section?.slice(section.indexOf('\n')).trim();
if (!version || !notes) {
  console.error(
    `CHANGELOG.md has no notes for ${version ?? 'a tag that is not given'}: name its section "## ${version ?? '1.2.3'} - YYYY-MM-DD"`,
  );
  process.exit(1);
}
console.log(notes);

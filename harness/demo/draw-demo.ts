// Runs the demo and draws what it prints as a moving picture: docs/images/demo.svg. node harness/demo/draw-demo.ts
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const columns = 104;
const rows = 24;
const lineHeight = 18;
const secondsPerLine = { plain: 0.12, command: 0.9, title: 1.6 };
const restSeconds = 5;
/** Steps of the demo that the picture shows, by the beginning of their title. */
const shownSteps = /^\d+\. (?:An instruction|A review|An automation): /;

function chooseLines(text: string): string[] {
  const steps = text.split(/\n(?=\d+\. )/).filter((step) => shownSteps.test(step));
  return (
    steps
      .flatMap((step) => [...step.trimEnd().split('\n'), ''])
      // Neither JSON, nor further lines of a command, nor what surrounds a change.
      .filter((line) => !/^(?: {2}"|[{}]| {3}| {2}[{}]| {2}\+\s*$| {2}(?:index |---|\+\+\+|diff --git|@@))/.test(line))
      .map((line) => line.replaceAll(/\b(job|prj)_\w{20,}/g, '$1_…').replaceAll(/http:\/\/127\.0\.0\.1:\d+| \\$/g, ''))
      .filter((line, index, all) => line.trim() !== '' || all[index - 1]?.trim() !== '')
      .map((line) => (line.length > columns ? `${line.slice(0, columns - 1)}…` : line))
  );
}

function draw(lines: readonly string[]): string {
  const times: number[] = [];
  let now = 0;
  for (const line of lines) {
    times.push(now);
    now += secondsPerLine[kindOf(line)];
  }
  const total = now + restSeconds;
  const percent = (seconds: number) => ((100 * seconds) / total).toFixed(2);
  const scroll = times
    .map(
      (seconds, index) =>
        `${percent(seconds)}%{transform:translateY(${-lineHeight * Math.max(0, index + 1 - rows)}px)}`,
    )
    .join('');
  const shown = times
    .map((seconds, index) => `@keyframes l${index}{0%{opacity:0}${percent(seconds)}%{opacity:1}}`)
    .join('');
  const last = -lineHeight * Math.max(0, lines.length - rows);
  const texts = lines.map((line, index) => {
    const style = `animation-name:l${index}`;
    return `<text class="${colourOf(line)}" style="${style}" x="16" y="${lineHeight * (index + 1)}">${escapeXml(line)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${columns * 7.9 + 32} ${rows * lineHeight + 32}" role="img">
<title>The demo: an instruction becomes a pull request, remarks get replies, and the documentation follows a merged pull request of the code</title>
<style>
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre;fill:#c9d1d9;animation-timing-function:step-end;animation-duration:${total.toFixed(1)}s;animation-iteration-count:infinite}
.title{fill:#fff;font-weight:600}.command{fill:#7ee787}.added{fill:#7ee787}.removed{fill:#ffa198}.link{fill:#79c0ff}.quote{fill:#d2a8ff}
#lines{animation:scroll ${total.toFixed(1)}s step-end infinite}
@keyframes scroll{${scroll}}
${shown}
@media (prefers-reduced-motion){text,#lines{animation:none}#lines{transform:translateY(${last}px)}}
</style>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<clipPath id="window"><rect x="0" y="12" width="100%" height="${rows * lineHeight + 8}"/></clipPath>
<g clip-path="url(#window)"><g transform="translate(0 12)"><g id="lines">
${texts.join('\n')}
</g></g></g>
</svg>
`;
}

function kindOf(line: string): keyof typeof secondsPerLine {
  if (/^\d+\. /.test(line)) return 'title';
  return line.startsWith('$ ') ? 'command' : 'plain';
}

function colourOf(line: string): string {
  const kind = kindOf(line);
  if (kind !== 'plain') return kind;
  if (line.startsWith('  +')) return 'added';
  if (line.startsWith('  -') && !line.startsWith('  - ')) return 'removed';
  if (line.startsWith('  Pull request:')) return 'link';
  return line.startsWith('  │') ? 'quote' : 'plain';
}

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const output = execFileSync('npm', ['run', '--silent', 'demo'], { encoding: 'utf8' });
writeFileSync('docs/images/demo.svg', draw(chooseLines(output)));

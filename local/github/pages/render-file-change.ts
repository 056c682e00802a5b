import type { FileChange } from '../git/diff-commits.ts';
import { type Html, html } from './html.ts';

const classes: Record<string, string> = { '+': 'add', '-': 'del', '@': 'hunk' };

/** One file of a diff: its name, its sums and its lines in colour. */
export const renderFileChange = (file: FileChange): Html => html`
<div class="box file">
<div class="head"><code>${file.previousPath && `${file.previousPath} → `}${file.path}</code>
<span class="muted">${file.status}, +${file.additions} −${file.deletions}</span></div>
${
  file.patch === null
    ? html`<div class="row muted">Binary file not shown.</div>`
    : html`<table>${file.patch.split('\n').map((line) => html`<tr><td class="${classes[line.charAt(0)]}">${line}</td></tr>`)}</table>`
}
</div>`;

import { type Html, html } from '../../../pages/html.ts';
import { icon } from '../../frame/elements.ts';
import { type FoundPreview, type PreviewVersion, versions } from './read-preview.ts';

const versionNames: Record<PreviewVersion, string> = { marked: 'Changes marked', after: 'After', before: 'Before' };

/** A changed page as its readers will see it. */
export function showPreview(found: FoundPreview, address: string): Html {
  if (found.kind === 'none') return html`<div class="empty small">${icon('file')}<p>${found.sentence}</p></div>`;
  const { pages, path, version, content, sentence } = found;
  const link = (changed: { page?: string; version?: PreviewVersion }) => {
    const { page, version: asked } = { page: path, version, ...changed };
    return `${address}?${new URLSearchParams({ tab: 'preview', page, version: asked }).toString()}`;
  };
  return html`<div class="changes-bar"><nav class="choices" aria-label="Version">${versions.map(
    (name) =>
      html`<a href="${link({ version: name })}" data-view${name === version && html` aria-current="true"`}>${versionNames[name]}</a>`,
  )}</nav></div>
${
  pages.length > 1 &&
  html`<details class="panel file-list fold" id="previewed-pages"${pages.length <= 6 && html` open`}><summary>${pages.length} pages changed</summary><nav aria-label="Changed pages"><ul>${pages.map(
    (page) =>
      html`<li><a href="${link({ page })}" data-view${page === path && html` aria-current="true"`}>${icon('file')}<code>${page}</code></a></li>`,
  )}</ul></nav></details>`
}
<article class="page-shown panel" aria-label="${path}"><p class="page-path"><code>${path}</code></p>
${sentence !== '' && html`<p class="hint">${sentence}</p>`}
${content !== undefined && ownHtml(content)}</article>`;
}

/** `renderPreview` escapes all that is foreign. */
const ownHtml = (content: string): Html => ({ html: content });

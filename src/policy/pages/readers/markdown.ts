import { randomBytes } from 'node:crypto';
import { micromark } from 'micromark';
import { frontmatter, frontmatterHtml } from 'micromark-extension-frontmatter';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import type { HtmlExtension } from 'micromark-util-types';
import type { Findings } from '../page-code.ts';
import { listBraces } from './braces.ts';
import { readFence } from './fences.ts';
import { type HtmlDialect, readHtml } from './html.ts';
import { addInclude } from './templates.ts';

/** Reads the HTML that a browser gets from Markdown, so that nothing hides in the difference. */
export function readMarkdown(findings: Findings, text: string, dialect: HtmlDialect): void {
  const matter = ['yaml', 'toml'] as const;
  const codeMark = `code-${randomBytes(8).toString('hex')}`;
  const html = micromark(text, {
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
    extensions: [gfm(), frontmatter([...matter])],
    htmlExtensions: [gfmHtml(), frontmatterHtml([...matter]), readTokens(findings, dialect, codeMark)],
  });
  readHtml(findings, html, dialect, codeMark);
  if (dialect.vue) readVueIncludes(findings, text);
}

const readTokens = (findings: Findings, dialect: HtmlDialect, codeMark: string): HtmlExtension => ({
  enter: {
    /** Vue leaves fenced code blocks alone, except those of a language such as `js-vue`; it reads all other code. */
    codeFenced(token) {
      const source = this.sliceSerialize(token);
      const lineEnd = source.search(/[\r\n]/);
      const info = source.slice(0, lineEnd === -1 ? source.length : lineEnd).replace(/^[\s`~]+/, '');
      readFence(findings, info, lineEnd === -1 ? '' : source.slice(lineEnd));
      this.lineEndingIfNeeded();
      this.tag(`<pre ${codeMark}${/^[\w-]*-vue\b/.test(info) ? '' : ' v-pre'}><code`);
      this.setData('fencesCount', 0);
    },
    codeIndented() {
      this.lineEndingIfNeeded();
      this.tag(`<pre ${codeMark}><code>`);
    },
    codeText() {
      this.setData('inCodeText', true);
      this.tag(`<code ${codeMark}>`);
    },
  },
  exit: {
    // GFM shows `<script>` as text; the builds of documentation do not.
    htmlFlowData(token) {
      this.raw(this.sliceSerialize(token));
    },
    htmlTextData(token) {
      this.raw(this.sliceSerialize(token));
    },
    /** Other parsers take more for a tag than CommonMark does: `<svg/onload=…>` of Python-Markdown, `<a @click>` of Vue. */
    data(token) {
      const text = this.sliceSerialize(token);
      if (/<[a-z]/i.test(text)) readHtml(findings, text, dialect);
      this.raw(this.encode(text));
    },
  },
});

/** Includes of VitePress, which come before Markdown is read. https://vitepress.dev/guide/markdown#markdown-file-inclusion */
function readVueIncludes(findings: Findings, text: string): void {
  for (const { inside } of listBraces(text, '<!--', '-->')) {
    const target = /^\s*@include:\s*(.*)$/s.exec(inside)?.[1];
    if (target !== undefined) addInclude(findings, '<!--@include:-->', cutRegion(target.trim()));
  }
  for (const line of text.split(/\r\n|[\r\n]/)) {
    const target = /^\s*<<<\s*(.*)$/s.exec(line)?.[1];
    if (target !== undefined) addInclude(findings, '<<<', cutRegion(target));
  }
}

const cutRegion = (target: string): string => target.replace(/[#{[].*$/s, '').trim();

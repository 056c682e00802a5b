import { isHiddenFile } from '../../hide-secrets.ts';
import type { Findings } from '../page-code.ts';

/** `written`: the target, in quotes or not, and what follows it. A section (`file.md:intro`) is not part of the path. */
export function addInclude(findings: Findings, directive: string, written: string): void {
  const target =
    /^\s*(?:"([^"]*)"|'([^']*)'|(\S*))/
      .exec(written)
      ?.slice(1)
      .find((part) => part !== undefined) ?? '';
  const path = /^[a-z]+:\/\//i.test(target) ? target : target.replace(/(?<![:\w-])([\w-]*):[:\w-]*$/, '$1');
  findings.add('include', `${directive} ${written}`, { clue: path.split('/').at(-1) ?? '', target: path });
  findings.addAddresses(target);
}

/** A path, which may hold blanks, for `addInclude`. */
export const quotePath = (path: string): string => (/\s/.test(path) ? `"${path}"` : path);

/** A file that the build copies into the site, or reads. */
export const addFile = (findings: Findings, target: string): void => {
  const path = target.replace(/[?#].*$/s, '');
  if (/^[/~\\]|\.\.|\/\.(?:\/|$)|[{$]|^file:|%2e|\\/i.test(path) || isHiddenFile(path))
    addInclude(findings, 'image', quotePath(path));
};

/**
 * Of Fumadocs, which puts the path together of all texts in an element or a directive, without their marks.
 * https://fumadocs.dev/docs/markdown/include
 */
export function addTextInclude(findings: Findings, name: string, written: string): void {
  if (/^[\w\s./#@()+-]*$/.test(written) && !/_(?!\w)/.test(written))
    addInclude(findings, name, quotePath(written.trim().replace(/#[\w-]*$/, '')));
  else findings.add('directive', `${name} ${written}`);
}

/** `:include[file]`, or a block whose text is the path. */
export function readIncludeDirectives(findings: Findings, text: string): void {
  for (const { index, 0: written, 1: label } of text.matchAll(
    /:include(?:\[([^\]\n]{0,300})\]?|(?![\w-])[^\n]{0,300}(?:\n[^\n]{0,300}){0,3})/g,
  ))
    if (text.startsWith('::', index - 2)) findings.add('directive', written);
    else if (label !== undefined) addTextInclude(findings, ':include', label);
  for (const [written] of text.matchAll(element)) findings.add('directive', written);
}

/** Where directives become elements. https://github.com/remarkjs/remark-directive#use */
const element =
  /:(?:script|style|iframe|object|embed)\[[^\n]{0,300}|^[ \t>*+-]*:{2,99}(?:script|style|iframe|object|embed)(?![\w:-])[^\n]{0,300}(?:\n[^\n]{0,300}){0,3}/gim;

const scissors = /^[ \t>]*-{1,}8<-{1,}/;

/** https://facelessuser.github.io/pymdown-extensions/extensions/snippets/ */
export function readSnippets(findings: Findings, text: string): void {
  if (!text.includes('8<-')) return;
  let isBlock = false;
  for (const line of text.split('\n')) {
    const mark = scissors.exec(line);
    const rest = mark && line.slice(mark[0].length).trim();
    if (rest === '') isBlock = !isBlock;
    else if (rest || (isBlock && line.trim() !== '')) addInclude(findings, '--8<--', (rest || line).trim());
  }
}

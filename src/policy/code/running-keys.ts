import type { EntryRules } from '../../docs/frameworks/edits/data-files.ts';
import { eventName } from '../data/entries.ts';

const running = new Set(
  `plugins plugin presets preset themes theme head scripts script stylesheets styles style css scss less extra_javascript
  extra_css remarkPlugins rehypePlugins remark rehype mdx markdown components component render setup slots props vite webpack
  rollup esbuild babel loaders loader modules module require import imports exec command shell env process fetch hooks hook
  middleware integrations integration adapter headers html srcdoc src srcset svg template templates function eval code`.split(
    /\s+/,
  ),
);

/** Whether a key makes something load or run, where a key is not the name of a page. */
export const isRunningKey = (key: string): boolean =>
  running.has(key) ||
  isHiddenKey(key) ||
  /^(?:remark|rehype|transform|build|config|before|after|extend)[A-Z]/.test(key);

/** Properties of every object, events, and HTML: no page has such a name. */
const isHiddenKey = (key: string): boolean =>
  inherited.has(key) || /^__.|innerHTML$/i.test(key) || (key.startsWith('on') && eventName.test(key));

const inherited = new Set(['prototype', ...Object.getOwnPropertyNames(Object.prototype)]);

/** Whether the value of a key stays whole: an entry neither gains such a key nor changes it. */
export const isFixedKey = (key: string, { keys }: EntryRules): boolean =>
  keys === 'any' ? isHiddenKey(key) : !keys.includes(key) && isRunningKey(key);

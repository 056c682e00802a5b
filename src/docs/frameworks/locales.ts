import type { Script } from '../formats/javascript.ts';

export interface Locale {
  /** In addresses; `root`: none. */
  key: string;
  /** `lang` of the locale, or its key. */
  code: string;
}

/** `locales: { root: { lang: 'en' }, fr: … }` of VitePress and Starlight, also where that is a variable. */
export const listLocales = ({ names, strings }: Script): Locale[] =>
  names
    .filter(({ keys }) => keys.at(-1) === 'locales')
    .map(({ value: key }) => {
      const lang = strings.find(
        ({ keys }) => keys.at(-1) === 'lang' && keys.at(-2) === key && keys.at(-3) === 'locales',
      );
      return { key, code: lang?.value ?? key };
    });

import { containerAt, type DataFile, wholeFile } from '../edits/data-files.ts';
import { menuRules, namesRules } from '../edits/rules.ts';
import { type Framework, markedBy } from '../framework.ts';
import { openHugo } from './open-hugo.ts';

const formats = ['toml', 'json', 'yaml', 'yml'] as const;
const folders = ['', 'config/_default/'];

/** Hugo reads the same settings in three formats. https://gohugo.io/content-management/menus/ */
const data: DataFile[] = formats.flatMap((ending) => {
  const format = ending === 'yml' ? 'yaml' : ending;
  return [
    {
      path: new RegExp(`^(?:config/_default/)?(?:hugo|config)\\.${ending}$`),
      format,
      what: 'its menus',
      containers: [containerAt(menuRules, 'menu'), containerAt(menuRules, 'menus')],
    },
    wholeFile(new RegExp(`^config/_default/menus?(?:\\.[\\w-]+)?\\.${ending}$`), format, menuRules, 'its menus'),
    wholeFile(new RegExp(`^i18n/[^/]+\\.${ending}$`), format, namesRules, 'its texts'),
  ];
});

/** https://gohugo.io/configuration/introduction/ */
export const hugo: Framework = {
  name: 'Hugo',
  hasExactAddresses: true,
  markers: [
    ...markedBy(...folders.flatMap((folder) => formats.map((ending) => `${folder}hugo.${ending}`)), 'archetypes/'),
    ...folders.flatMap((folder) =>
      formats.map((ending) => ({
        path: `${folder}config.${ending}`,
        // Many tools have a file of this name.
        contains: /base_?url|language_?code|menus?\b|params|theme|title/i,
      })),
    ),
  ],
  sites: {
    open: openHugo,
  },
  data,
  dialect: { templates: [{ language: 'hugo' }] },
  templates: [/^(?:layouts|archetypes|themes)\//],
};

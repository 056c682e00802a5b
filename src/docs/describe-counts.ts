interface Counts {
  links: number;
  pages: number;
  /** Pages that there was no time for. */
  unparsed: number;
  navigation: boolean;
}

/** What was checked, for people. Empty: nothing. */
export const describeCounts = ({ links, pages, unparsed, navigation }: Counts): string =>
  [
    ...(links > 0 ? [`${links.toLocaleString('en')} ${links === 1 ? 'link' : 'links'}`] : []),
    ...(pages + unparsed > 0
      ? [
          `${pages.toLocaleString('en')} ${pages === 1 ? 'page' : 'pages'} parsed${unparsed === 0 ? '' : ` (no time for ${unparsed.toLocaleString('en')} more)`}`,
        ]
      : []),
    ...(navigation ? ['navigation'] : []),
  ].join(', ');

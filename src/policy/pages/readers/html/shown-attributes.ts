/** Attributes of HTML, SVG and MathML that only show, or are read for themselves. In lower case; JSX spells some without a dash. */
const shown = new Set(
  `accent accept accesskey action align alignment-baseline allow allowfullscreen allowtransparency alt async attributename
  autocapitalize autocomplete autofocus autoplay axis background baseline-shift bgcolor border by caption cellpadding cellspacing char
  charoff charset checked cite class classname clear clip-path clip-rule clippath cliprule clippathunits code codebase color cols colspan
  columnalign columnlines columnspacing compact content contenteditable controls controlslist coords crossorigin cx cy d data datetime
  decoding default defer depth dir disabled display displaystyle dominant-baseline download draggable dur dx dy enable-background encoding
  enctype enterkeyhint face fence fetchpriority fill fill-opacity fill-rule fillopacity fillrule filter focusable font-family font-size
  font-style font-weight fontfamily fontsize fontweight for form formaction frame frameborder from fx fy gradienttransform gradientunits
  headers height hidden high href hreflang hspace htmlfor http-equiv icon id in inert inputmode ismap itemid itemprop itemref itemscope
  itemtype kind label lang largeop letter-spacing linebreak linethickness list loading longdesc loop low lspace marginheight marginwidth
  marker-end marker-mid marker-start markerend markerheight markerunits markerwidth mask mathcolor mathsize mathvariant max maxlength
  maxsize maxwidth media method min minlength minsize movablelimits mozallowfullscreen multiple muted name nonce noshade novalidate nowrap
  offset opacity open optimum orient overflow paint-order part path pathlength pattern patternunits placeholder playsinline points poster
  preload preserveaspectratio property r readonly referrerpolicy refx refy rel required result reversed role rotate rowlines rows rowspacing
  rowspan rspace rules rx ry sandbox scope scriptlevel scrolling selected separator shape shape-rendering size sizes slot span spellcheck
  src srcdoc srclang srcset start stddeviation step stop-color stop-opacity stopcolor stopopacity stretchy stroke stroke-dasharray
  stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width strokedasharray strokelinecap
  strokelinejoin strokewidth style summary symmetric tabindex target text-anchor text-rendering textanchor title to transform translate type
  usemap valign value values vector-effect version viewbox visibility voffset vspace webkitallowfullscreen width word-spacing x x1 x2 xlink
  xmlns xml:lang xml:space xmlns:xlink y y1 y2
  markdown v-pre key data-toc-label data-search-exclude data-preview data-title data-description`.split(/\s+/),
);

/** Whether an attribute of an element only shows. What else it may do is up to the libraries that a site loads. */
export const isShownAttribute = (name: string): boolean => shown.has(name) || /^aria-?[a-z]+$/.test(name);

export const htmlElements: ReadonlySet<string> = new Set(
  `a abbr address applet area article aside audio b base basefont bdi bdo bgsound big blockquote body br button canvas caption center cite code
  col colgroup data datalist dd del desc details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form frame frameset
  h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link listing main map mark marquee math menu meta
  meter nav nobr noembed noframes noscript object ol optgroup option output p param picture plaintext pre progress q rb rp rt rtc ruby s samp
  script search section select slot small source span strike strong style sub summary sup svg table tbody td template textarea tfoot th
  thead time title tr track tt u ul var video wbr xmp`.split(/\s+/),
);

/** Whether a tag is an element of HTML, rather than a component, in any letter case. */
export const isHtmlElement = (tag: string): boolean =>
  /^[a-z][a-z0-9]*$/.test(tag) || htmlElements.has(tag.toLowerCase());

import type { Some, Wrapper } from './nested-pages.ts';

/** What shows a text in Liquid, Jinja or Nunjucks, or only looks so. */
export const templateWrappers: Some<Wrapper> = [
  (text) => `{% raw %}${text}{% endraw %}`,
  (text) => `{%- raw -%}\n${text}\n{%- endraw -%}`,
  (text) => `{% raw %}${text}`,
  (text) => `${text}{% endraw %}`,
  (text) => `{%raw%}${text}{%endraw%}`,
  (text) => `{% raw %}x{% endraw %}${text}{% raw %}x{% endraw %}`,
  (text) => `{% raw x %}${text}{% endraw %}`,
  (text) => `{%+ raw %}${text}{%+ endraw %}`,
  (text) => `{% verbatim %}${text}{% endverbatim %}`,
  (text) => `{% comment %}${text}{% endcomment %}`,
  (text) => `{% comment %}{% raw %}{% endcomment %}${text}`,
  (text) => `{# ${text} #}`,
  (text) => `{# {% raw %} #}${text}{# {% endraw %} #}`,
  (text) => `{{ "${text}" }}`,
  (text) => `{{ '${text}' }}`,
  (text) => `{{ "{% raw %}" }}${text}{{ "{% endraw %}" }}`,
  (text) => `{% if true %}${text}{% endif %}`,
  (text) => `{% assign a = '{% raw %}' %}${text}{% endraw %}`,
  (text) => `\`\`\`\n${text}\n\`\`\``,
  (text) => `\`${text}\``,
  (text) => `<!-- ${text} -->`,
  (text) => `{${text}}`,
  (text) => `\\${text}`,
];

"""Writes FOLDER/docs/NAME.html beside each page, by the reader named first: batch.py markdown|superfences|jinja FOLDER"""
import pathlib
import sys

import jinja2
import markdown

kind, folder = sys.argv[1], pathlib.Path(sys.argv[2])
plain = ['toc', 'tables', 'fenced_code']
extra = ['extra', 'admonition', 'attr_list', 'def_list', 'footnotes', 'md_in_html', 'meta', 'abbr', 'smarty', 'wikilinks']
superfences = [
    'toc', 'tables', 'attr_list', 'def_list', 'footnotes', 'md_in_html', 'admonition', 'pymdownx.superfences', 'pymdownx.details',
    'pymdownx.inlinehilite', 'pymdownx.tabbed', 'pymdownx.snippets', 'pymdownx.tilde', 'pymdownx.tasklist', 'pymdownx.magiclink',
]
extensions = {'markdown': plain, 'jinja': plain, 'extra': extra, 'superfences': superfences}[kind]
configs = {'pymdownx.snippets': {'base_path': [str(folder)]}} if kind == 'superfences' else {}
secret = (folder / '.env').read_text().strip()

for page in (folder / 'docs').glob('page*.md'):
    text = page.read_text(encoding='utf-8')
    try:
        if kind == 'jinja':
            loader = jinja2.FileSystemLoader([str(folder), str(folder / 'docs')])
            text = jinja2.Environment(loader=loader).from_string(text).render(canary=secret, config={'x': secret})
        html = markdown.Markdown(extensions=extensions, extension_configs=configs).convert(text)
    except Exception as error:
        html = f'<!-- failed: {type(error).__name__} -->'
    page.with_suffix('.html').write_text(html, encoding='utf-8')

"""Writes FOLDER/docs/NAME.html beside each page, by the reader named first: batch.py markdown|superfences|jinja FOLDER"""
import pathlib
import sys

import re

import jinja2
import markdown
import yaml

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



def without_front_matter(text):
    """As MkDocs does: what is no mapping stays."""
    found = re.match(r'-{3}[ \t]*\n(.*?\n)(?:-{3}|\.{3})[ \t]*\n', text, re.DOTALL)
    try:
        if found:
            return text[found.end():].lstrip('\n') if isinstance(yaml.safe_load(found.group(1)), dict) else text
    except yaml.YAMLError:
        return text
    lines = text.split('\n')
    pattern = r' {0,3}[\w-]+:'
    while lines and re.match(pattern, lines[0]):
        lines.pop(0)
        pattern = r' {0,3}[\w-]+:| {4}|\t'
    return '\n'.join(lines)


for page in (folder / 'docs').glob('page*.md'):
    text = without_front_matter(page.read_text(encoding='utf-8-sig'))
    try:
        if kind == 'jinja':
            loader = jinja2.FileSystemLoader([str(folder), str(folder / 'docs')])
            text = jinja2.Environment(loader=loader).from_string(text).render(canary=secret, config={'x': secret})
        html = markdown.Markdown(extensions=extensions, extension_configs=configs).convert(text)
    except Exception as error:
        html = f'<!-- failed: {type(error).__name__} -->'
    page.with_suffix('.html').write_text(html, encoding='utf-8')

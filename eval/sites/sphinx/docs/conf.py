project = "Granary"
extensions = ["sphinx.ext.intersphinx"]
intersphinx_mapping = {"python": ("https://docs.python.org/3", None)}
exclude_patterns = ["_build"]
# Read by the plugin of the host.
rediraffe_redirects = {
    "setup.rst": "guides/install.rst",
}

from .export import write_csv

__all__ = ["write_csv"]

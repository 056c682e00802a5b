from ledger import write_csv


def test_header(tmp_path, book):
    write_csv(book, tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text().startswith("date,account,amount")

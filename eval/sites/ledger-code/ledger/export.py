import csv


def write_csv(book, path):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["date", "account", "amount"])
        for entry in book.entries:
            writer.writerow([entry.date, entry.account, entry.amount])

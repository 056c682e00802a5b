project = 'Ledger'
extensions = []

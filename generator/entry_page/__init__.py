"""An entry's page, decided: what `expand` is made of."""

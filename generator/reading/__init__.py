"""From bytes and schema to messages: what `load` and `validate` are made of."""

"""The signature template language: what `template` is made of."""

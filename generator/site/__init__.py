"""The built site around its pages: addresses that stay, dates, scripts, links, the place it is put in."""

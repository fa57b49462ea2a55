// Starts the search boxes of the page, now and whenever the theme has replaced the page.

import { mountSearch } from "./dialog.mjs";
import { mountLost } from "./lost.mjs";

mountSearch();
mountLost();
if (typeof document$ !== "undefined") document$.subscribe(mountSearch); // the theme's, if it navigates without loading

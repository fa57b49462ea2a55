// Starts the page of a diagnosis with what publishing hands over: `given` is a constant of the script this is joined into.

import { mountDiagnosis } from "./page.mjs";

mountDiagnosis(given);

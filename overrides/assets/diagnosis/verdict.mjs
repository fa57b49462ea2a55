// What an attempt came to, before anything is found: the part between judging and answering.

export const ESTABLISHED = "established";
export const SUPPORTED = "supported";
export const NOT_IN_LOG = "not_in_log";

export const NOTHING = {
  outcome: "",
  whoStatus: NOT_IN_LOG,
  ranks: [],
  allRanks: false,
  witness: null, // the event that says who it was
  ended: null,
  causes: [], // events that name what happened, best first
  external: null,
  unclassified: null,
  collateral: [],
  notices: [],
  secondary: [],
};

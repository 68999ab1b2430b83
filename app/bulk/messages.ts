export const NO_LIST = "There is no such list.";

export const NOT_CHANGED_NOW =
  "The list was started, so its rows and columns cannot be changed. Nothing was changed.";

export const ERASED = "The people of this list were erased after the retention time.";

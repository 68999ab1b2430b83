export const RETRIED_WITH_KEY = "Retried with the same key, so nothing was sent or charged twice.";

export const MAY_BE_ACCEPTED = "The provider may have accepted this. It will not be sent twice.";

export const CANCEL_AT_ONCE = "Cancel it at once if it must not be mailed.";

export const SIGNED_OUT = "You are logged out. Nothing was changed. Log in, then try again.";

export const SEND_SIGNED_OUT =
  "You are logged out. Nothing was sent and nothing was charged. Log in, then send again.";

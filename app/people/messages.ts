/** A form or a request of somebody whose session has ended. */
export const SIGNED_OUT = "You are logged out. Nothing was changed. Log in, then try again.";

/** The same for a program, which calls an address of the API. */
export const API_SIGNED_OUT =
  "You are logged out. Nothing was changed. Log in at /api/auth/login, then try again.";

/** In place of an answer, when a request is sent after the session's end. */
export const SEND_SIGNED_OUT =
  "You are logged out. Nothing was sent and nothing was charged. Log in, then send again.";

export const NO_SUCH_USER_MESSAGE = "There is no user with this ID. Nothing was changed.";

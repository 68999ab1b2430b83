/** Turns the limits off: tests send more requests than a person does. The tests of the limits set their own. */
export const NO_LIMITS = { RATE_LIMITS: "off", STANNP_CONCURRENCY: "1000", FRESH_SIGN_IN_MINUTES: "0" };

/** Headers that make the proxy send a form-encoded body, which is what the provider documents. */
export const FORM_HEADERS = { "content-type": "application/x-www-form-urlencoded" } as const;

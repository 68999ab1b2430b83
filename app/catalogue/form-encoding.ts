/** Makes the proxy send a body as form fields, which is how the provider documents its calls. */
export const FORM_HEADERS = { "content-type": "application/x-www-form-urlencoded" } as const;

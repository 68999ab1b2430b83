/** A request that no preset makes: its ID in stored responses and addresses, and its name. */
export const CUSTOM = { id: "custom", label: "Custom request" } as const;

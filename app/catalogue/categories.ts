/** Categories in display order. */
export const CATEGORIES = [
  { id: "authentication", label: "Authentication" },
  { id: "recipients", label: "Recipients" },
  { id: "lists", label: "Lists" },
  { id: "campaigns", label: "Campaigns" },
  { id: "mailings", label: "Mailings" },
  { id: "postcards", label: "Postcards" },
  { id: "letters", label: "Letters" },
  { id: "groups", label: "Groups" },
  { id: "events", label: "Events" },
  { id: "files", label: "Files" },
  { id: "reporting", label: "Reporting" },
  { id: "selections", label: "Selections" },
  { id: "account", label: "Account" },
  { id: "addresses", label: "Addresses" },
  { id: "objects", label: "Objects" },
] as const;

/** Returns a category's label, or an unknown ID unchanged. */
export function formatCategory(id: string): string {
  return CATEGORIES.find((category) => category.id === id)?.label ?? id;
}

import type { Category } from "./types";

/** The categories in display order. */
export const CATEGORIES: readonly Category[] = [
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
];

/** A category's label; an unknown id is returned as it is. */
export function formatCategory(id: string): string {
  return CATEGORIES.find((category) => category.id === id)?.label ?? id;
}

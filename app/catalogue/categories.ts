import type { Category } from "./types";

/** The categories in the order in which the console shows them (spec §3). */
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

/** A category's name in the console; an id that is none stands for itself. */
export function formatCategory(id: string): string {
  return CATEGORIES.find((category) => category.id === id)?.label ?? id;
}

import type { ListSource } from "./provider-list";

/** Why the templates could not be loaded. */
export const TEMPLATE_FAILURES = {
  noUser: "no user is selected",
  fetch: "the provider did not answer the request",
  parse: "the provider's answer is not JSON",
  format: "the provider's answer is not a list",
};

/** A template of the account, as the provider lists it. */
export interface ListedTemplate {
  id: string;
  name: string;
  /** The provider's spelling: `4X6`, `US-LETTER`; "" when it names none. */
  size: string;
  pages: string;
  /** URL of a picture; null when there is none that a page may show. */
  picture: string | null;
}

/** The provider's list of templates. Hidden ones are not offered. */
export const TEMPLATES: ListSource<ListedTemplate> = {
  path: "templates/list",
  failures: TEMPLATE_FAILURES,
  parseRow: (row) => {
    const picture = getText(row, "image");
    const template = {
      id: getText(row, "id"),
      name: getText(row, "template_name") || getText(row, "name"),
      size: getText(row, "size"),
      pages: getText(row, "page_count"),
      picture: /^https?:\/\//i.test(picture) ? picture : null,
    };
    return template.id === "" || getText(row, "is_hidden") === "1" ? null : template;
  },
};

/** Splits templates into those of the piece's size and others. A letter accepts any letter size. */
export function orderTemplates(
  templates: readonly ListedTemplate[],
  size: string | null,
): { fitting: ListedTemplate[]; others: ListedTemplate[] } {
  const fits = ({ size: own }: ListedTemplate) =>
    size === null ? isLetterSize(own) : !isLetterSize(own) && (size === "" || sameSize(own, size));
  return { fitting: templates.filter(fits), others: templates.filter((template) => !fits(template)) };
}

function sameSize(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function isLetterSize(size: string): boolean {
  return /letter|^a4$/i.test(size);
}

function getText(row: Record<string, unknown>, name: string): string {
  const value = row[name];
  return typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
}

import { RECIPIENT_FIELDS, type RecipientField } from "~/print/layout/preview-content";

/** The use of each column: a {@link RecipientField}, `{name}` or "". A default may follow: `company|you` prints "you" where empty. */
type Mapping = readonly string[];

const MAX_FALLBACK_CHARS = 100;

/** Splits a column's use from its default. */
export function parseUse(entry: string): { use: string; fallback: string } {
  const [use = "", ...rest] = entry.split("|");
  const fallback = rest.join("|").replace(/[{}\s]+/g, " ");
  return { use, fallback: fallback.trim().slice(0, MAX_FALLBACK_CHARS) };
}

export function listFallbacks(mapping: Mapping): Map<string, string> {
  return new Map(
    mapping.map((entry) => {
      const { use, fallback } = parseUse(entry);
      return [parsePlaceholder(use) ?? use, fallback];
    }),
  );
}

/** Header names of each detail, in letters only. */
const ALIASES: Readonly<Record<RecipientField, string>> = {
  title: "title salutation anrede prefix",
  firstname: "firstname first givenname forename vorname prenom nombre",
  lastname: "lastname last surname familyname nachname nom apellido",
  company: "company companyname organisation organization business firma",
  address1: "address1 addressline1 address street streetaddress addr1 line1 strasse straße",
  address2: "address2 addressline2 addr2 line2 apartment suite unit",
  city: "city town posttown ort stadt ville ciudad",
  state: "state county province region stateorcounty stateprovince",
  postcode: "postcode zip zipcode postalcode postal plz codepostal",
  country: "country countrycode land pays pais",
  email: "email emailaddress mail epost",
  phone: "phone phonenumber telephone mobile tel telefon",
};
const FIELDS = Object.keys(ALIASES) as RecipientField[];

const PLACEHOLDER = /^\{([A-Za-z_][\w-]*)\}$/;

/** Returns the name of a placeholder; null for any other use. */
export function parsePlaceholder(use: string): string | null {
  return PLACEHOLDER.exec(use)?.[1] ?? null;
}

/** Lists placeholders that are no detail of a recipient, so that a column has to fill them. */
export function listOwnPlaceholders(placeholders: readonly string[]): string[] {
  return placeholders.filter((name) => !Object.hasOwn(RECIPIENT_FIELDS, name));
}

/** Guesses the use of columns from their headers; each use once. */
export function guessMapping(columns: readonly string[], placeholders: readonly string[]): string[] {
  const own = listOwnPlaceholders(placeholders);
  const used = new Set<string>();
  return columns.map((column) => {
    const letters = simplify(column);
    const placeholder = own.find((name) => simplify(name) === letters);
    const field = FIELDS.find((name) => ALIASES[name].split(" ").includes(letters));
    const use = placeholder ? `{${placeholder}}` : (field ?? "");
    if (used.has(use)) return "";
    used.add(use);
    return use;
  });
}

function simplify(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** Drops unknown and repeated uses of a posted mapping. */
export function cleanMapping(
  uses: readonly string[],
  columns: readonly string[],
  placeholders: readonly string[],
): string[] {
  const seen = new Set<string>();
  return columns.map((_, at) => {
    const { use, fallback } = parseUse(uses[at] ?? "");
    const placeholder = parsePlaceholder(use);
    const known =
      placeholder === null ? Object.hasOwn(RECIPIENT_FIELDS, use) : placeholders.includes(placeholder);
    if (!known || seen.has(use)) return "";
    seen.add(use);
    return fallback !== "" && placeholders.includes(placeholder ?? use) ? `${use}|${fallback}` : use;
  });
}

/** Lists required details without a column, by label. */
export function listUnmapped(mapping: Mapping, placeholders: readonly string[], country: string): string[] {
  const uses = mapping.map((entry) => parseUse(entry).use);
  const has = (use: string) => uses.includes(use);
  return [
    ...(has("company") || (has("firstname") && has("lastname"))
      ? []
      : ["First name and Last name, or Company"]),
    ...(["address1", "city", "postcode"] as const)
      .filter((use) => !has(use))
      .map((use) => RECIPIENT_FIELDS[use]),
    ...(has("country") || country !== "" ? [] : [RECIPIENT_FIELDS.country]),
    ...listOwnPlaceholders(placeholders)
      .filter((name) => !has(`{${name}}`))
      .map((name) => `{${name}}`),
  ];
}

/** Maps a row's cells to recipient and variables. A known country becomes its code. */
export function parseRow(
  cells: readonly string[],
  rules: { mapping: Mapping; countries: readonly string[]; country: string },
) {
  const recipient: Partial<Record<RecipientField, string>> = {};
  const variables: Record<string, string> = {};
  for (const [at, entry] of rules.mapping.entries()) {
    const { use } = parseUse(entry);
    const cell = (cells[at] ?? "").trim();
    if (use === "" || cell === "") continue;
    const placeholder = parsePlaceholder(use);
    if (placeholder === null) recipient[use as RecipientField] = cell;
    else variables[placeholder] = cell;
  }
  const country = recipient.country ?? rules.country;
  if (country !== "") recipient.country = parseCountry(country, rules.countries) ?? country;
  return { recipient, variables };
}

/** Names of countries that `Intl` does not give in English. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  GB: ["uk", "england", "scotland", "wales", "great britain"],
  US: ["usa", "united states of america", "america"],
  DE: ["deutschland"],
  AT: ["österreich"],
  CH: ["schweiz", "suisse"],
  ES: ["españa"],
  IT: ["italia"],
  NL: ["nederland", "the netherlands"],
  BE: ["belgique"],
  SE: ["sverige"],
  DK: ["danmark"],
  NO: ["norge"],
};

const names = new Intl.DisplayNames("en", { type: "region" });

/** Formats a country code as its English name; other text is unchanged. */
export function formatCountry(code: string): string {
  return /^[A-Z]{2}$/i.test(code) ? (names.of(code.toUpperCase()) ?? code) : code;
}

/** Parses a cell to one of these ISO codes; null when it is none. */
function parseCountry(text: string, codes: readonly string[]): string | null {
  const written = text.trim();
  const upper = written.toUpperCase();
  if (codes.includes(upper)) return upper;
  const lower = written.toLowerCase();
  const isNamed = (code: string) =>
    OTHER_NAMES[code]?.includes(lower) || formatCountry(code).toLowerCase() === lower;
  return codes.find(isNamed) ?? null;
}

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

export function listFallbacks(mapping: Mapping, placeholders: readonly string[]): Map<string, string> {
  return new Map(
    mapping.flatMap((entry) => {
      const { use, fallback } = parseUse(entry);
      return fallback === "" ? [] : listFilled(use, placeholders).map((name) => [name, fallback] as const);
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
/** Details without which no address is complete. */
const NEEDED: readonly RecipientField[] = [
  "firstname",
  "lastname",
  "company",
  "address1",
  "city",
  "postcode",
  "country",
];

const PLACEHOLDER = /^\{([A-Za-z_][\w-]*)\}$/;

/** Returns the name of a placeholder; null for any other use. */
export function parsePlaceholder(use: string): string | null {
  return PLACEHOLDER.exec(use)?.[1] ?? null;
}

/** Lists placeholders that are no detail of a recipient, so that a column has to fill them. */
export function listOwnPlaceholders(placeholders: readonly string[]): string[] {
  return placeholders.filter((name) => !Object.hasOwn(RECIPIENT_FIELDS, name));
}

/** Guesses the use of columns from their headers; each use once. The address needs its only column, which then fills `{zip}` too. */
export function guessMapping(columns: readonly string[], placeholders: readonly string[]): string[] {
  const own = listOwnPlaceholders(placeholders);
  const used = new Set<string>();
  const guesses = columns.map((column) => ({
    field: findField(column),
    placeholder: own.find((name) => simplify(name) === simplify(column)),
  }));
  return guesses.map(({ field, placeholder }) => {
    const hasOther = guesses.some((other) => other.field === field && other.placeholder === undefined);
    const isForAddress = isNeeded(field) && !hasOther;
    const use = placeholder && !isForAddress ? `{${placeholder}}` : (field ?? "");
    if (used.has(use)) return "";
    used.add(use);
    return use;
  });
}

function findField(name: string): RecipientField | undefined {
  return FIELDS.find((field) => ALIASES[field].split(" ").includes(simplify(name)));
}

/** Finds the part of the address that a placeholder of another name, `{zip}`, means. */
function findShared(name: string): RecipientField | undefined {
  const field = findField(name);
  return isNeeded(field) ? field : undefined;
}

function isNeeded(field: RecipientField | undefined): boolean {
  return field !== undefined && NEEDED.includes(field);
}

/** Lists own placeholders that mean a part of the address and have no column, with that part, which fills them. */
export function listShared(mapping: Mapping, placeholders: readonly string[]) {
  const uses = mapping.map((entry) => parseUse(entry).use);
  return listOwnPlaceholders(placeholders).flatMap((name): { name: string; field: RecipientField }[] => {
    const field = findShared(name);
    return field === undefined || uses.includes(`{${name}}`) ? [] : [{ name, field }];
  });
}

/** Lists placeholders that a column of this use fills. */
export function listFilled(use: string, placeholders: readonly string[]): string[] {
  return placeholders.filter((name) => name === (parsePlaceholder(use) ?? use) || findShared(name) === use);
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
    return fallback !== "" && listFilled(use, placeholders).length > 0 ? `${use}|${fallback}` : use;
  });
}

/** Lists required details without a column, by label. */
export function listUnmapped(mapping: Mapping, placeholders: readonly string[], country: string): string[] {
  const uses = mapping.map((entry) => parseUse(entry).use);
  const has = (use: string) => uses.includes(use);
  const shared = listShared(mapping, placeholders).filter(({ field }) => has(field));
  return [
    ...(has("company") || (has("firstname") && has("lastname"))
      ? []
      : ["First name and Last name, or Company"]),
    ...(["address1", "city", "postcode"] as const)
      .filter((use) => !has(use))
      .map((use) => RECIPIENT_FIELDS[use]),
    ...(has("country") || country !== "" ? [] : [RECIPIENT_FIELDS.country]),
    ...listOwnPlaceholders(placeholders)
      .filter((name) => !has(`{${name}}`) && !shared.some((other) => other.name === name))
      .map((name) => `{${name}}`),
  ];
}

/** Maps a row's cells to recipient and variables. A known country becomes its code. */
export function parseRow(
  cells: readonly string[],
  rules: {
    mapping: Mapping;
    shared: ReturnType<typeof listShared>;
    countries: readonly string[];
    country: string;
  },
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
  for (const { name, field } of rules.shared) {
    if (recipient[field] !== undefined) variables[name] = recipient[field];
  }
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

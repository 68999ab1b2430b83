/** An attached file as the draft holds it. */
export interface PreviewFile {
  /** Content as base64, without a `data:` prefix. */
  base64: string;
  name: string;
  /** Pages of a PDF, where somebody has counted them. */
  pages?: number;
}

const RECIPIENT_KEYS = [
  "title",
  "firstname",
  "lastname",
  "company",
  "address1",
  "address2",
  "city",
  "state",
  "postcode",
  "country",
  "email",
  "phone",
] as const;

/** Who a piece goes to; what is not known is absent or "". The country is ISO 3166-1 alpha-2. */
export type PreviewRecipient = { readonly [key in (typeof RECIPIENT_KEYS)[number]]?: string };

/** All that a proof is drawn from: values as the form holds them, nothing else (issue: live proof). */
export interface PreviewState {
  kind: "postcard" | "letter";
  /** Test mode: the proof carries a SPECIMEN stamp. */
  test: boolean;
  /** Where it is printed: decides A4 or US Letter, and which country's name an address leaves out. */
  home: "US" | "GB";
  /** Postcards: `4x6`, `6x9`, `6x11` or `6x4`; anything else draws nothing yet. */
  size: string;
  /** A template's ID. Its design is at the provider and cannot be drawn here. */
  template: string;
  front: PreviewFile | null;
  back: PreviewFile | null;
  signature: PreviewFile | null;
  /** A letter's PDF. */
  file: PreviewFile | null;
  /** A postcard's message or a letter's text content, `{name}` still standing in it. */
  text: string;
  /** Form values of the message's type: `font`, `font_size` in points, `font_colour`. "" is the default. */
  font: string;
  fontSize: string;
  fontColour: string;
  /** Form value of `padding`; "" leaves it to the provider. */
  padding: string;
  clearzone: boolean;
  /** Null while nothing is known but perhaps the ID. */
  recipient: PreviewRecipient | null;
  recipientId: string;
  /** The `variables` field: JSON text as typed. */
  variables: string;
}

/** What a draft's form says, and what stands around it. */
export interface PreviewSource {
  kind: PreviewState["kind"];
  /** Form values by field name (spec §3); a checked box is "true", a file its base64. */
  values: Readonly<Record<string, string>>;
  /** Names of the chosen files by field name; `pages` where they were counted. */
  files: Readonly<Record<string, { name: string; pages?: number } | undefined>>;
  /** The user's loaded recipients; the chosen one is looked up here. */
  recipients: readonly ({ id: string } & PreviewRecipient)[];
  home: PreviewState["home"];
}

/**
 * A proof's state from the form's values. New recipient details (`recipient_*`) take the place of the ID, as
 * they do in the payload (spec §5).
 */
export function buildPreviewState({ kind, values, files, recipients, home }: PreviewSource): PreviewState {
  const read = (name: string) => values[name] ?? "";
  const readFile = (name: string): PreviewFile | null =>
    read(name) === ""
      ? null
      : { base64: read(name), name: files[name]?.name ?? name, pages: files[name]?.pages };
  const typed = parseTypedRecipient(values);
  const recipientId = read("recipient").trim();
  return {
    kind,
    test: read("test") === "true",
    home,
    size: read("size"),
    template: read("template").trim(),
    front: readFile("front"),
    back: readFile("back"),
    signature: readFile("signature"),
    file: readFile("file"),
    text: read(kind === "postcard" ? "message" : "content"),
    font: read("font"),
    fontSize: read("font_size"),
    fontColour: read("font_colour"),
    padding: read("padding"),
    clearzone: read("clearzone") === "true",
    recipient: typed ?? recipients.find(({ id }) => id === recipientId) ?? null,
    recipientId: typed ? "" : recipientId,
    variables: read("variables"),
  };
}

function parseTypedRecipient(values: PreviewSource["values"]): PreviewRecipient | null {
  const entries = RECIPIENT_KEYS.map((key) => [key, (values[`recipient_${key}`] ?? "").trim()] as const);
  const filled = entries.filter(([, value]) => value !== "");
  return filled.length > 0 ? Object.fromEntries(filled) : null;
}

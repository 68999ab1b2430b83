import type { CheckedFile } from "../artwork/file-rules";

export interface PreviewFile {
  /** Content as base64, without a `data:` prefix. */
  base64: string;
  name: string;
  pages?: number;
  facts?: CheckedFile;
}

/** Details of a recipient: names in a request, with their labels. */
export const RECIPIENT_FIELDS = {
  title: "Title",
  firstname: "First name",
  lastname: "Last name",
  company: "Company",
  address1: "Address line 1",
  address2: "Address line 2",
  city: "City",
  state: "State or county",
  postcode: "Postcode",
  country: "Country",
  email: "E-mail",
  phone: "Phone",
} as const;
export type RecipientField = keyof typeof RECIPIENT_FIELDS;

/** The recipient of a piece; unknown fields are absent or "". The country is ISO 3166-1 alpha-2. */
export type PreviewRecipient = { readonly [field in RecipientField]?: string };

/** Everything that a preview is drawn from, as form values. */
export interface PreviewState {
  kind: "postcard" | "letter";
  /** Test mode: the preview is stamped SPECIMEN. */
  test: boolean;
  /** The country of printing: sets A4 or US Letter, and the country that an address omits. */
  home: "US" | "GB";
  /** Postcards: `4x6`, `6x9`, `6x11` or `6x4`; nothing is drawn for other values. */
  size: string;
  /** A template's ID. The provider keeps its design, so it cannot be drawn here. */
  template: string;
  front: PreviewFile | null;
  back: PreviewFile | null;
  signature: PreviewFile | null;
  file: PreviewFile | null;
  /** A postcard's message or a letter's text, before its `{variables}` are filled. */
  text: string;
  /** Form values of the message's type: `font`, `font_size` in points, `font_colour`. "" is the default. */
  font: string;
  fontSize: string;
  fontColour: string;
  /** Form value of `padding`; "" is the provider's default. */
  padding: string;
  clearzone: boolean;
  /** Null when nothing but perhaps the ID is known. */
  recipient: PreviewRecipient | null;
  recipientId: string;
  /** The `variables` field: JSON text as typed. */
  variables: string;
  measured?: Measured | null;
}

/** Offset of a text from its default position, in points. */
export type Shift = { right: number; down: number };

/** Text positions in the provider's PDF of a test of the same size; null for a text that was not found. */
export type Measured = { at: number; address: Shift | null; message: Shift | null };

export interface PreviewSource {
  kind: PreviewState["kind"];
  /** Form values by field name; a ticked checkbox is "true", a file its base64. */
  values: Readonly<Record<string, string>>;
  /** Chosen files by field name; `facts` when they were checked. */
  files: Readonly<Record<string, Omit<PreviewFile, "base64" | "pages"> | undefined>>;
  /** The loaded recipients, among them the chosen one. */
  recipients: readonly ({ id: string } & PreviewRecipient)[];
  home: PreviewState["home"];
}

/** Builds a preview's state from form values. New recipient details (`recipient_*`) replace the ID, as in the request. */
export function buildPreviewState({ kind, values, files, recipients, home }: PreviewSource): PreviewState {
  const get = (name: string) => values[name] ?? "";
  const buildFile = (name: string): PreviewFile | null => {
    if (get(name) === "") return null;
    const facts = files[name]?.facts;
    const pages = facts?.kind === "pdf" ? facts.pages : undefined;
    return { base64: get(name), name: files[name]?.name ?? name, pages, facts };
  };
  const typed = parseTypedRecipient(values);
  const recipientId = get("recipient").trim();
  return {
    kind,
    test: get("test") === "true",
    home,
    size: get("size"),
    template: get("template").trim(),
    front: buildFile("front"),
    back: buildFile("back"),
    signature: buildFile("signature"),
    file: buildFile("file"),
    text: get(kind === "postcard" ? "message" : "content"),
    font: get("font"),
    fontSize: get("font_size"),
    fontColour: get("font_colour"),
    padding: get("padding"),
    clearzone: get("clearzone") === "true",
    recipient: typed ?? recipients.find(({ id }) => id === recipientId) ?? null,
    recipientId: typed ? "" : recipientId,
    variables: get("variables"),
  };
}

/** Reads the state of a preview from the fields of a request. @param files known files by field */
export function readPreviewState(
  kind: PreviewState["kind"],
  { recipient, ...fields }: Readonly<Record<string, unknown>>,
  home: PreviewState["home"],
  files: PreviewSource["files"] = {},
): PreviewState {
  const values: Record<string, string> = { test: "true" };
  for (const [name, value] of Object.entries(fields)) {
    values[name] = typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "");
  }
  if (typeof recipient === "object" && recipient !== null) {
    for (const [name, value] of Object.entries(recipient)) values[`recipient_${name}`] = String(value ?? "");
  } else values.recipient = String(recipient ?? "");
  return buildPreviewState({ kind, values, files, recipients: [], home });
}

function parseTypedRecipient(values: PreviewSource["values"]): PreviewRecipient | null {
  const keys = Object.keys(RECIPIENT_FIELDS);
  const entries = keys.map((key) => [key, (values[`recipient_${key}`] ?? "").trim()] as const);
  const filled = entries.filter(([, value]) => value !== "");
  return filled.length > 0 ? Object.fromEntries(filled) : null;
}

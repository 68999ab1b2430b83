import { acceptArtwork } from "./artwork";
import { keepTags } from "./faults/behaviour";
import { formatOffsetTime, formatSpacedTime } from "./http/dates";
import { findObject, readFlag, readText } from "./http/fields";
import { LETTER_FORMATS, POSTCARD_FORMATS, type PrintFormat } from "./http/formats";
import { Refusal, type Reply, requireFields, succeed } from "./http/reply";
import type { MailPiece, MailType } from "./mail-pieces";
import { ADDRESS_KEYS, isDeliverable, type PostalAddress, readAddress } from "./postal-address";
import type { Call } from "./routes/router";
import type { SamplePage } from "./sample-pdf";
import type { Store } from "./store";

const IMAGES = ["jpg", "png", "pdf"] as const;

interface Addressee {
  recipientId: string;
  recipient: PostalAddress;
}

/** Answers postcards/create, which sends at once: there are no drafts. @throws Refusal */
export async function createPostcard(call: Call, type: MailType = "postcard"): Promise<Reply> {
  const { fields } = call;
  requireFields(fields, "recipient");
  const addressee = parseAddressee(call);
  if (readText(fields, "template") === "") requireFields(fields, "front");
  const template = requireTemplate(call);
  const format = readText(fields, "size") || "4x6";
  const print = requireFormat(POSTCARD_FORMATS, format);
  const front = await acceptArtwork(fields.front, "front image", IMAGES);
  const back = await acceptArtwork(fields.back, "back image", IMAGES);
  const signature = await acceptArtwork(fields.signature, "signature", ["jpg", "png"]);
  return accept(call, type, format, print, addressee, [
    // A template replaces the front.
    template ? { template } : front ? { artwork: front } : { lines: ["Front", format] },
    {
      artwork: back,
      back: { message: readText(fields, "message"), signature, address: printAddress(addressee.recipient) },
    },
  ]);
}

/** Answers letters/create. @throws Refusal */
export async function createLetter(call: Call): Promise<Reply> {
  const { fields } = call;
  requireFields(fields, "recipient");
  const addressee = parseAddressee(call);
  const pages = fields.pages;
  if (readText(fields, "template") === "" && (pages === undefined || pages === "")) {
    requireFields(fields, "file");
  }
  const template = requireTemplate(call);
  const format = readText(fields, "size") || "US-LETTER";
  const print = requireFormat(LETTER_FORMATS, format);
  const file = await acceptArtwork(fields.file, "file", ["pdf", "doc"]);
  // `pages` is content here: one or several HTML texts. A page count would be printed as text.
  const texts = (Array.isArray(pages) ? pages : [pages ?? ""]).map((page) => String(page));
  const address = printAddress(addressee.recipient);
  let printed: SamplePage[] = [{ document: file, address }];
  if (!isPdf(file) && template) printed = [{ template, lines: address }];
  else if (!isPdf(file))
    printed = texts.map((text, index) => ({ lines: [...(index ? [] : [...address, ""]), readHtml(text)] }));
  return accept(call, "letter", format, print, addressee, printed);
}

/** Answers letters/post: the PDF already has the address. @throws Refusal */
export async function postLetter(call: Call): Promise<Reply> {
  const { fields } = call;
  requireFields(fields, "country");
  const name = fields.pdf === undefined ? "file" : "pdf";
  requireFields(fields, name);
  const format = readText(fields, "size") || "US-LETTER";
  const print = requireFormat(LETTER_FORMATS, format);
  const file = await acceptArtwork(fields[name], "file", ["pdf"]);
  const recipient = { ...readAddress({}), country: readText(fields, "country") };
  return accept(call, "letter", format, print, { recipientId: "0", recipient }, [{ document: file }]);
}

/**
 * An inline address needs no particular key (misspelt ones are dropped silently), but at least one. The texts for
 * an unknown id and for an unverifiable address are ours.
 */
function parseAddressee(call: Call): Addressee {
  const inline = findObject(call.fields, "recipient");
  if (!inline) {
    const { id, ...found } = call.store.requireRecipient(readText(call.fields, "recipient"));
    return { recipientId: id, recipient: readAddress(found) };
  }
  const recipient = readAddress(inline);
  if (ADDRESS_KEYS.every((key) => recipient[key] === "")) {
    throw new Refusal(400, "Missing mandatory parameter: recipient");
  }
  if (!readFlag(call.fields, "post_unverified", true) && !isDeliverable(recipient)) {
    throw new Refusal(200, "The recipient's address could not be verified");
  }
  return { recipientId: "0", recipient: { ...recipient, country: recipient.country || "US" } };
}

/** The named template; null when none is named. @throws Refusal for one that does not exist */
function requireTemplate(call: Call): { id: string; name: string } | null {
  const id = readText(call.fields, "template");
  if (id === "" || id === "0") return null;
  return { id, name: call.store.requireTemplate(id).template_name };
}

/** Finds the format of a size. The refusal of an unknown size is not documented; this one is ours. */
function requireFormat(formats: ReadonlyMap<string, PrintFormat>, size: string): PrintFormat {
  const format = formats.get(size);
  if (!format) throw new Refusal(400, `Invalid size: use one of ${[...formats.keys()].join(", ")}`);
  return format;
}

function isPdf(file: Buffer | null): boolean {
  return file?.subarray(0, 5).toString("latin1") === "%PDF-";
}

/** The text of an HTML page, without its tags. */
function readHtml(html: string): string {
  return html.replace(/<br\s*\/?>|<\/p>/gi, "\n").replace(/<[^>]*>/g, "");
}

function accept(
  call: Call,
  type: MailType,
  format: string,
  print: PrintFormat,
  addressee: Addressee,
  pages: SamplePage[],
): Reply {
  const { store, fields } = call;
  const test = call.forcedTest ?? readFlag(fields, "test", false);
  const id = test ? Number(store.settings.behaviour.sampleId) : store.takePieceId();
  const { widthPt, heightPt } = print;
  const piece: MailPiece = {
    id,
    type,
    test,
    format,
    cost: print.cost,
    createdAtMs: store.settings.now(),
    cancelledAtMs: null,
    settledStatus: null,
    ...addressee,
    tags: keepTags(readText(fields, "tags"), store.settings.behaviour),
    idempotencyKey: call.idempotencyKey,
    pdfUrl: store.publishSample(test ? "sample" : String(id), { widthPt, heightPt, specimen: test, pages }),
  };
  store.accepted.push(piece);
  if (!test) {
    store.pieces.set(id, piece);
    // Behaviour at zero balance is not documented; nothing is refused for it here.
    store.charge(piece.cost, 1);
  }
  return succeed(describeNew(store, piece));
}

/** The answer to a new piece. A test has the id 0. */
function describeNew(store: Store, piece: MailPiece) {
  const formatTime = piece.type === "letter" ? formatSpacedTime : formatOffsetTime;
  const { id, pdfUrl: pdf, format, cost, createdAtMs, type, tags, recipient } = piece;
  const status = store.statusOf(piece);
  const created = formatTime(createdAtMs);
  const answer = { pdf, id, created, format, cost, status };
  return piece.test
    ? answer
    : { ...answer, type, ...recipient, tags, updated: formatSpacedTime(createdAtMs) };
}

export function printAddress(address: PostalAddress): string[] {
  const lines = [
    [address.title, address.firstname, address.lastname],
    [address.company],
    [address.address1],
    [address.address2],
    [address.address3],
    [address.city, address.county, address.postcode],
    [address.country],
  ];
  return lines.map((words) => words.filter(Boolean).join(" ")).filter(Boolean);
}

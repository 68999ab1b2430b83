import type { MailType } from "~/pieces/mail-type";
import { isRecord, parseJson } from "~/platform/json-value";
import { fillVariables, formatNoValue } from "~/print/merge/merge";
import {
  findByName,
  findDetails,
  findRecipientChoice,
  isRecipientId,
  keepChosenRecipient,
  type ListedRecipient,
  type Values,
} from "./recipients";

export const SIZE_REQUIRED = "Size is required - please select a postcard dimension";
export const POSTCARD_CONTENT_REQUIRED =
  "Either a template ID or front image is required to create the postcard";
export const LETTER_CONTENT_REQUIRED = "Either template ID, PDF file, or text content is required";
export const POSTCARD_RECIPIENT_REQUIRED = "Choose a recipient or fill in a new one";
export const LETTER_RECIPIENT_REQUIRED = "Choose a recipient or give the new recipient's first name";
export const VARIABLES_INVALID = "Variables must be valid JSON";

/** @param missing parts of the new recipient, such as "first name" */
export function formatRecipientIncomplete(missing: readonly string[]): string {
  const listed =
    missing.length < 2 ? missing.join("") : `${missing.slice(0, -1).join(", ")} and ${missing.at(-1)}`;
  return `Recipient: ${listed} ${missing.length === 1 ? "is" : "are"} missing`;
}

export function formatRecipientNotFound(name: string): string {
  return `No saved recipient is called "${name}". Choose one from the list or enter an ID.`;
}

export function formatRecipientAmbiguous(name: string): string {
  return `Several saved recipients are called "${name}". Choose one from the list.`;
}

export interface MailProblem {
  field: string;
  message: string;
}

/** Fields of which one must be filled in. */
const ONE_OF: Record<MailType, (MailProblem & { fields: string[] })[]> = {
  postcard: [
    { fields: ["size"], field: "size", message: SIZE_REQUIRED },
    { fields: ["template", "front"], field: "template", message: POSTCARD_CONTENT_REQUIRED },
  ],
  letter: [{ fields: ["template", "file", "content"], field: "template", message: LETTER_CONTENT_REQUIRED }],
};

const NEW_RECIPIENT = {
  recipient_firstname: "first name",
  recipient_lastname: "last name",
  recipient_address1: "address line 1",
  recipient_city: "city",
  recipient_postcode: "postcode",
  recipient_country: "country",
};

/** Lists the rules that the values break. The server checks those that need the details of a recipient who is not listed. */
export function listMailProblems(
  kind: MailType,
  entered: Values,
  listed: readonly ListedRecipient[] = [],
): MailProblem[] {
  const values = keepChosenRecipient(entered);
  const isNew = findRecipientChoice(entered) === "new";
  const isEmpty = (name: string) => getValue(values, name) === "";
  const problems: MailProblem[] = [
    ...ONE_OF[kind].flatMap(({ fields, ...problem }) => (fields.every(isEmpty) ? [problem] : [])),
    ...listRecipientProblems(kind, isNew, isEmpty),
  ];
  const problem = isNew ? null : findNameProblem(getValue(values, "recipient"), listed);
  if (problem !== null) problems.push({ field: "recipient", message: problem });
  problems.push(...listUnfilled(kind, entered, listed));
  const variables = getValue(values, "variables");
  if (variables !== "" && !isRecord(parseJson(variables))) {
    problems.push({ field: "variables", message: VARIABLES_INVALID });
  }
  return problems;
}

/** Why the text of a saved recipient is neither an ID nor the name of one; null when it is, or is empty. */
export function findNameProblem(typed: string, listed: readonly ListedRecipient[]): string | null {
  if (typed === "" || isRecipientId(typed)) return null;
  const several = findByName(typed, listed).length > 1;
  return several ? formatRecipientAmbiguous(typed) : formatRecipientNotFound(typed);
}

function listUnfilled(kind: MailType, values: Values, listed: readonly ListedRecipient[]): MailProblem[] {
  const field = kind === "postcard" ? "message" : "content";
  const printed = kind === "postcard" || (getValue(values, "template") === "" && !values.file);
  const details = findDetails(values, listed);
  if (!printed || details === null) return [];
  const { unknown } = fillVariables(values[field] ?? "", details, values.variables);
  return unknown.length > 0 ? [{ field, message: formatNoValue(unknown) }] : [];
}

/** Reports a recipient that is not chosen, or a new one without the details that its kind of mail needs. */
function listRecipientProblems(
  kind: MailType,
  isNew: boolean,
  isEmpty: (name: string) => boolean,
): MailProblem[] {
  if (kind === "postcard" && isNew) {
    const missing = Object.entries(NEW_RECIPIENT).filter(([name]) => isEmpty(name));
    const message = formatRecipientIncomplete(missing.map(([, label]) => label));
    return missing.slice(0, 1).map(([field]) => ({ field, message }));
  }
  const field = isNew ? "recipient_firstname" : "recipient";
  const message = kind === "postcard" ? POSTCARD_RECIPIENT_REQUIRED : LETTER_RECIPIENT_REQUIRED;
  return isEmpty(field) ? [{ field, message }] : [];
}

export function getValue(values: Values, name: string): string {
  return (values[name] ?? "").trim();
}

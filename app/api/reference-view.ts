/** Content of the reference page. Words between backticks are code. */
export interface ReferenceView {
  signedIn: boolean;
  chapters: ReferenceChapter[];
  groups: { name: string; calls: ReferenceCall[] }[];
  events: ReferenceEvent[];
  /** Objects that several answers have, by name. */
  objects: ReferenceObject[];
}

export interface ReferenceChapter {
  id: string;
  title: string;
  text: string[];
  table?: { head: string[]; rows: string[][] };
  code?: { language: string; text: string }[];
}

/** An event that Mailroom posts to webhook receivers. */
export interface ReferenceEvent {
  type: string;
  about: string;
  fields: ReferenceField[];
  /** A body as JSON. */
  sample: string;
}

/** Fields of a body or one of its alternatives. */
export interface ReferenceObject {
  name: string;
  fields: ReferenceField[];
}

export interface ReferenceCall {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string | null;
  scope: string;
  parameters: ReferenceField[];
  /** Alternatives of the body. */
  bodies: ReferenceObject[];
  curl: string;
  /** Values in the command that the reader must replace. */
  missing: string[];
  answers: { status: string; about: string; type: string; fields: ReferenceField[] }[];
  /** "400 `bad_input`, 401 `signed_out`" */
  failures: string;
  /** An answer as JSON; null without an example. */
  sample: string | null;
}

export interface ReferenceField {
  name: string;
  type: string;
  required: boolean;
  about: string;
}

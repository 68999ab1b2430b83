/** The description of the API as its page shows it. */
export interface ReferenceView {
  origin: string;
  groups: { name: string; calls: ReferenceCall[] }[];
  events: ReferenceEvent[];
}

/** An event that Mailroom posts to webhook receivers. */
export interface ReferenceEvent {
  type: string;
  about: string;
  /** A body as JSON. */
  sample: string;
}

export interface ReferenceCall {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string | null;
  scope: string;
  parameters: ReferenceField[];
  /** Fields of its body. */
  fields: ReferenceField[];
  curl: string;
  answers: { status: string; about: string }[];
  failures: { status: number; code: string; about: string }[];
  /** An answer as JSON; null where none is shown. */
  sample: string | null;
}

export interface ReferenceField {
  name: string;
  type: string;
  required: boolean;
  about: string;
}

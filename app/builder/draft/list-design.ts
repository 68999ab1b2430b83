import type { Design } from "~/bulk/bulk-list";
import { findHome } from "~/outside/mail-provider/home-country";
import type { MailType } from "~/pieces/mail-type";
import { isRecord, parseRecord } from "~/platform/json-value";
import { type BaseUrlView, type CallTemplate, type Draft, findMailKind } from "./draft";
import {
  buildBody,
  buildListBody,
  fillPath,
  hasInvalidBody,
  isRecipientField,
  listProblems,
  type Problem,
} from "./request";

/** Texts whose placeholders the rows of the list fill. */
const FILLED_BY_ROWS = ["message", "content"];

interface Drafted {
  draft: Draft;
  template: CallTemplate;
  base: BaseUrlView;
  presetId: string;
  userId: string | null;
}

/** Lists the problems of a draft as a list template, which needs no recipient and no placeholder values. */
export function findListProblems({ draft, template }: Pick<Drafted, "draft" | "template">): Problem[] {
  if (findMailKind(template) === null || hasInvalidBody(draft)) {
    return [{ field: null, message: "Only a postcard or letter can be sent to a list." }];
  }
  return listProblems(draft, template).filter(
    ({ field }) => field === null || !(isRecipientField(field) || FILLED_BY_ROWS.includes(field)),
  );
}

/** Finds the details of the recipient that a draft names; null where it names none, or a saved one by its ID. */
export function findDetails({
  draft,
  template,
}: Pick<Drafted, "draft" | "template">): Record<string, unknown> | null {
  const { recipient } = parseRecord(buildBody(draft, template, true));
  return isRecord(recipient) ? recipient : null;
}

/** Builds the template of a list. Call it only when {@link findListProblems} is empty. */
export function buildListDesign({ draft, template, base, presetId, userId }: Drafted): {
  design: Design;
  mailType: MailType;
  userId: string | null;
} {
  const body = buildListBody(draft, template);
  const files = Object.entries(draft.files).map(([field, { name }]) => [field, name]);
  const home = findHome(base);
  return {
    design: {
      baseUrl: base.url,
      home,
      path: fillPath(draft),
      presetId,
      body,
      files: Object.fromEntries(files),
    },
    mailType: findMailKind(template) ?? "letter",
    userId,
  };
}

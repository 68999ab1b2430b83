import { type CallTemplate, carriesBody, type Draft } from "../draft";
import { buildQuery, buildUnfinishedBody, fillPath } from "../request/request";
import type { CodeParts } from "./code-choice";

/** The present request, for the writers of code. */
export function listCodeParts(draft: Draft, template: CallTemplate, base: CodeParts["base"]): CodeParts {
  return {
    base,
    method: draft.method,
    path: fillPath(draft),
    query: buildQuery(draft, template),
    headers: draft.headers,
    body: buildWrittenBody(draft, template),
    files: Object.fromEntries(Object.entries(draft.files).map(([field, { name }]) => [field, name])),
  };
}

function buildWrittenBody(draft: Draft, template: CallTemplate): CodeParts["body"] {
  if (!carriesBody(draft.method)) return undefined;
  try {
    return buildUnfinishedBody(draft, template);
  } catch {
    return undefined;
  }
}

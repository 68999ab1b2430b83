import type { PresetCall } from "~/catalogue/types";
import { type AddressCheckNote, canOverride } from "~/pieces/address-note";
import { isRecord } from "~/platform/json-value";
import type { ProxyRequest } from "~/proxy/send-request.schema.server";
import type { BaseUrlView, Draft } from "../draft/draft";
import { applyMode } from "../draft/mode";
import { type AddressCheck, isSameAddress, keepChosenRecipient, parseAddress } from "../draft/recipients";
import { buildRequest } from "../draft/request";

interface ProxyRequestParts {
  base: BaseUrlView;
  userId: string | null;
  presetId: string;
  /** True when the page showed this as live mail. */
  expectLive: boolean;
  /** Sends this tested piece live, with a key of its own; null for any other send. */
  testedPieceId: string | null;
  idempotencyKey: string;
  /** The earlier send of the same piece that the user knows about, or null. */
  knownDuplicateId: string | null;
  addressCheck: AddressCheck | null;
}

export function buildProxyRequest(draft: Draft, call: PresetCall, parts: ProxyRequestParts): ProxyRequest {
  const { base, testedPieceId, idempotencyKey } = parts;
  const tested = testedPieceId !== null;
  return {
    ...(tested ? buildTestedRequest(draft, call) : buildRequest(draft, call)),
    baseUrl: base.url,
    auth: { strategy: "env" },
    flags: { appendJson: base.appendJson },
    user_id: parts.userId,
    expect_live: tested || parts.expectLive,
    ...(tested ? { tested_piece_id: testedPieceId } : { idempotency_key: idempotencyKey }),
    known_duplicate: parts.knownDuplicateId,
    endpoint_preset: parts.presetId,
    ...buildAddressCheckNote(parts.addressCheck, { ...draft, values: keepChosenRecipient(draft.values) }),
  };
}

/** Builds the live request for a tested draft. `test` is also removed from a body that was edited by hand. */
export function buildTestedRequest(draft: Draft, call: PresetCall): ReturnType<typeof buildRequest> {
  const request = buildRequest(applyMode(draft, call, true), call);
  if (!isRecord(request.body)) return request;
  const { test: _, ...body } = request.body;
  return { ...request, body };
}

/** Builds the note that a send keeps of the check. Empty if the address was changed since, or is not from the form. */
export function buildAddressCheckNote(
  check: AddressCheck | null,
  draft: Draft,
): { address_check?: AddressCheckNote } {
  const address = parseAddress(draft.values);
  const applies = check !== null && draft.body === null && isSameAddress(check.address, address);
  if (!applies || address.address1 === "") return {};
  return { address_check: { verdict: check.verdict, overridden: canOverride(check.verdict) } };
}

import type { AddressVerdict } from "~/pieces/address-note";
import { Badge } from "~/ui/badge";
import {
  ADDRESS_PARTS,
  type AddressCheck,
  addressFieldName,
  isSameAddress,
  parseAddress,
} from "../draft/recipients";
import { IntentButton, useForm } from "./form-context";

export const ADDRESS_WORDS = {
  valid: "Valid",
  corrected: "Valid, with corrections",
  not_found: "Not found",
  unchecked: "Cannot be checked",
};

export const ADDRESS_CHANGED = "The address has changed since this check.";

export const ADDRESS_NOT_REAL = "Test answer from this machine, not from the provider.";

const SECTION_ID = "address-check";
const TONES: Record<AddressVerdict, "ok" | "warn" | "bad" | "neutral"> = {
  valid: "ok",
  corrected: "warn",
  not_found: "bad",
  unchecked: "neutral",
};

/** Asks the provider whether it finds the new recipient's address. The result never blocks a send. */
export function AddressCheckPanel() {
  const { draft, action, addressCheck } = useForm();
  const { check, checking, run, take } = addressCheck;
  const address = parseAddress(draft.values);
  const shown =
    check !== null && !(Object.values(address).every((line) => line === "") && check.verdict !== "unchecked")
      ? check
      : null;
  const stale = shown !== null && !isSameAddress(shown.address, address);
  const postTo = `${action}#${SECTION_ID}`;
  return (
    <div id={SECTION_ID} className="grid scroll-mt-16 gap-2">
      {check ? <input type="hidden" name="address_check" value={JSON.stringify(check)} /> : null}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <IntentButton
          intent="check_address"
          formAction={postTo}
          className="button"
          aria-disabled={checking ? true : undefined}
          onPress={run}
        >
          Check address
        </IntentButton>
        <p role="status" className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          {checking ? <span className="text-dim">Checking…</span> : null}
          {shown && !checking ? <CheckResult check={shown} stale={stale} /> : null}
        </p>
      </div>
      {shown?.verdict === "corrected" && !stale ? (
        <>
          <Corrections check={shown} />
          <p>
            <IntentButton
              intent="use_address"
              formAction={postTo}
              className="button"
              onPress={() => {
                take();
                // This button goes: the focus moves to "Check address".
                document.querySelector<HTMLElement>(`#${SECTION_ID} button`)?.focus();
              }}
            >
              Use this address
            </IntentButton>
          </p>
        </>
      ) : null}
      {shown?.verdict === "not_found" && !stale ? (
        <p className="text-dim">
          The provider cannot find this address. You can still send: a live piece keeps a note of it.
        </p>
      ) : null}
    </div>
  );
}

function CheckResult({ check, stale }: { check: AddressCheck; stale: boolean }) {
  return (
    <>
      <Badge tone={stale ? "neutral" : TONES[check.verdict]}>{ADDRESS_WORDS[check.verdict]}</Badge>
      {stale ? <span>{ADDRESS_CHANGED}</span> : null}
      {check.reason && !stale ? (
        <span className="min-w-0 [overflow-wrap:anywhere]">{check.reason}</span>
      ) : null}
      {check.real || check.verdict === "unchecked" ? null : (
        <span className="text-dim">{ADDRESS_NOT_REAL}</span>
      )}
    </>
  );
}

/** Each part as it was typed and as the provider writes it. */
function Corrections({ check: { address, corrections } }: { check: AddressCheck }) {
  const { fields } = useForm().call;
  return (
    <dl aria-label="Corrections" className="grid gap-1 border-line border-l pl-3">
      {ADDRESS_PARTS.map((part) => {
        const to = corrections[part];
        return to === undefined ? null : (
          <div key={part} className="[overflow-wrap:anywhere]">
            <dt className="inline text-dim">
              {fields.find(({ name }) => name === addressFieldName(part))?.label}:{" "}
            </dt>
            <dd className="inline">
              <del className="text-dim">{address[part] || "nothing"}</del>
              <span aria-hidden> → </span>
              <span className="sr-only"> becomes </span>
              <ins className="font-semibold text-ok no-underline">{to || "nothing"}</ins>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

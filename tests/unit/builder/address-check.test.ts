import { describe, expect, test } from "vitest";
import type { Draft } from "~/builder/draft/draft";
import type { Address, AddressCheck } from "~/builder/draft/recipients";
import { parsePostedCheck } from "~/builder/page/builder-post.server";
import type { Answer } from "~/builder/send/answer";
import {
  ADDRESS_LINE_MISSING,
  ADDRESS_NO_RESULT,
  ADDRESS_UNREADABLE,
  checkAddress,
  findCorrections,
  formatUncheckedCountry,
  parseCheckAnswer,
} from "~/builder/send/check-address";
import { buildAddressCheckNote } from "~/builder/send/proxy-request";
import { ADDRESS_VERDICTS } from "~/pieces/address-note";
import type { ProxyResponse } from "~/proxy/answer.schema.server";
import type { ProxyRequest } from "~/proxy/send-request.schema.server";
import { parseSendInput } from "~/proxy/send-request.schema.server";

const ELM: Address = {
  company: "",
  address1: "12 Elm St",
  address2: "",
  city: "Portland",
  state: "OR",
  postcode: "97205",
  country: "US",
};
const PROVIDER = { label: "US", url: "https://api-us1.stannp.com/v1", appendJson: false };
const EMULATOR = { label: "Global", url: "http://127.0.0.1:4010/global/v1", appendJson: false };

const answered = (data: unknown, error: string | null = null): Answer => ({
  kind: "answered",
  response: { status: 200, data, error, text: null } as ProxyResponse,
});
/** The reference's format: a US state returns as county. */
const reply = (changes: Record<string, unknown> = {}) =>
  answered({ ...ELM, state: undefined, address3: "", county: "OR", is_valid: true, ...changes });
const draftOf = (address: Partial<Address>, body: string | null = null): Draft => ({
  method: "POST",
  path: "postcards/create",
  values: Object.fromEntries(
    Object.entries({ ...ELM, ...address }).map(([part, value]) => [`recipient_${part}`, value]),
  ),
  files: {},
  query: [],
  headers: [],
  body,
});
const checkOf = (changes: Partial<AddressCheck> = {}): AddressCheck => ({
  address: ELM,
  verdict: "valid",
  reason: null,
  corrections: {},
  real: true,
  ...changes,
});

describe("the provider's answer", () => {
  test.each<[string, Record<string, unknown>, AddressCheck["verdict"], Partial<Address>]>([
    ["the same address", {}, "valid", {}],
    ["the same in capitals", { address1: "12 ELM ST", city: "PORTLAND" }, "valid", {}],
    ["a state in state", { county: "", state: "OR" }, "valid", {}],
    [
      "two corrections",
      { address1: "12 Elm Street", county: "WA" },
      "corrected",
      { address1: "12 Elm Street", state: "WA" },
    ],
    ["a postcode", { postcode: "97205-1234" }, "corrected", { postcode: "97205-1234" }],
    ["a zipcode", { postcode: undefined, zipcode: "97205-1234" }, "corrected", { postcode: "97205-1234" }],
    ["an address that is not found", { is_valid: false, address1: "1 Elm Street" }, "not_found", {}],
  ])("%s", (_what, changes, verdict, corrections) => {
    expect(parseCheckAnswer(ELM, reply(changes))).toEqual({ verdict, reason: null, corrections });
  });

  test("empty parts keep the input, except a second line that moved into the first", () => {
    const typed = { ...ELM, address2: "Unit 4", state: "Kent" };
    expect(findCorrections(typed, { address1: "12 Elm St", address2: "", county: "", city: "" })).toEqual({});
    expect(findCorrections(typed, { address1: "Unit 4, 12 Elm Street", address2: "" })).toEqual({
      address1: "Unit 4, 12 Elm Street",
      address2: "",
    });
    expect(findCorrections(ELM, { address2: "Unit 4", address3: "Elm Park" })).toEqual({
      address2: "Unit 4, Elm Park",
    });
  });

  test("a country is the same in each of its spellings", () => {
    expect(findCorrections(ELM, { country: "United States" })).toEqual({});
    expect(findCorrections({ ...ELM, country: "GB" }, { country: "UK" })).toEqual({});
    expect(findCorrections({ ...ELM, country: "GB" }, { country: "US" })).toEqual({ country: "US" });
  });

  test.each<[string, Answer, string]>([
    ["no is_valid", reply({ is_valid: undefined }), ADDRESS_NO_RESULT],
    ["is_valid as text", reply({ is_valid: "true" }), ADDRESS_NO_RESULT],
    ["nothing", answered(null), ADDRESS_UNREADABLE],
    ["a text", answered("OK"), ADDRESS_UNREADABLE],
    ["a list", answered([{ is_valid: true }]), ADDRESS_NO_RESULT],
    ["a refusal", answered(null, "Missing address1"), "Missing address1"],
    [
      "silence",
      { kind: "failed", message: "The provider did not answer.", response: null, httpStatus: 504 },
      "The provider did not answer.",
    ],
  ])("%s means that the address could not be checked, for the reason", (_what, answer, reason) => {
    const read = parseCheckAnswer(ELM, answer);
    expect(read).toMatchObject({ verdict: "unchecked", corrections: {} });
    expect(read.reason).toBe(reason);
  });

  test("values that are not address lines are ignored", () => {
    const odd = { address1: { evil: 1 }, city: "x".repeat(201), postcode: 97205, county: ["WA"] };
    expect(findCorrections(ELM, { ...odd, country: "ZZ" })).toEqual({});
  });
});

describe("the request", () => {
  async function ask(address: Address, base = PROVIDER, answer = reply()) {
    const requests: ProxyRequest[] = [];
    const check = await checkAddress(address, { base, userId: "auth-ana" }, async (request) => {
      requests.push(request);
      return answer;
    });
    return { check, requests };
  }

  test("is the documented call, form-encoded, and is not stored", async () => {
    const { requests, check } = await ask(ELM);
    expect(requests).toEqual([
      {
        path: "addresses/validate",
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        auth: { strategy: "env" },
        save: false,
        baseUrl: PROVIDER.url,
        flags: { appendJson: false },
        user_id: "auth-ana",
        body: { address1: "12 Elm St", city: "Portland", state: "OR", postcode: "97205", country: "US" },
      },
    ]);
    expect(check).toEqual(checkOf());
  });

  test("an answer from this machine is marked as a test answer", async () => {
    expect((await ask(ELM, EMULATOR)).check.real).toBe(false);
    expect((await ask(ELM, { ...PROVIDER, url: "http://localhost:4010/v1" })).check.real).toBe(false);
  });

  test("uses the country of the base URL if none is given", async () => {
    const abroad = await ask({ ...ELM, country: "" }, EMULATOR, reply({ country: "GB" }));
    expect(abroad.requests[0]?.body).toMatchObject({ country: "GB" });
    expect(abroad.check).toMatchObject({ verdict: "valid", address: { country: "" } });
  });

  test("is not made for other countries or an empty first line", async () => {
    const french = await ask({ ...ELM, country: "FR" });
    expect(french.check.reason).toBe(formatUncheckedCountry("FR"));
    const empty = await ask({ ...ELM, address1: "" });
    expect(empty.check).toMatchObject({ verdict: "unchecked", reason: ADDRESS_LINE_MISSING });
    expect([...french.requests, ...empty.requests]).toEqual([]);
  });
});

describe("the note that a send stores", () => {
  test("is overridden when the piece is sent in spite of the result", () => {
    const notes = ADDRESS_VERDICTS.map((verdict) => buildAddressCheckNote(checkOf({ verdict }), draftOf({})));
    expect(notes).toEqual([
      { address_check: { verdict: "valid", overridden: false } },
      { address_check: { verdict: "corrected", overridden: true } },
      { address_check: { verdict: "not_found", overridden: true } },
      { address_check: { verdict: "unchecked", overridden: false } },
    ]);
  });

  test("is empty without a check, after a change of the address, and for a body edited by hand", () => {
    const check = checkOf({ verdict: "not_found" });
    expect(buildAddressCheckNote(null, draftOf({}))).toEqual({});
    expect(buildAddressCheckNote(check, draftOf({ city: "Salem" }))).toEqual({});
    expect(buildAddressCheckNote(check, draftOf({}, "{}"))).toEqual({});
    expect(buildAddressCheckNote(check, draftOf({ city: " Portland " }))).not.toEqual({});
  });
});

describe("the note in an API request", () => {
  const parse = (address_check: unknown) =>
    parseSendInput({ path: "postcards/create", method: "POST", address_check });

  test.each([
    ["another verdict", { verdict: "SECRET", overridden: true }],
    ["more than that", { verdict: "not_found", overridden: true, SECRET: 1 }],
    ["a text", "SECRET"],
    ["nothing to override", { verdict: "valid", overridden: true }],
  ])("%s is refused, without repeating it", (_what, check) => {
    const parsed = parse(check);
    expect(parsed).toMatchObject({ ok: false, failure: { code: "bad_input" } });
    expect(JSON.stringify(parsed)).toContain("address_check: ");
    expect(JSON.stringify(parsed)).not.toContain("SECRET");
  });
});

describe("the check in a form posted without JavaScript", () => {
  const post = (address_check: string, intent = "send") => {
    const form = new FormData();
    form.set("address_check", address_check);
    form.set("intent", intent);
    return parsePostedCheck(form, draftOf({}));
  };
  const corrected = checkOf({
    verdict: "corrected",
    corrections: { address1: "12 Elm Street", postcode: "97205-1234" },
  });

  test.each([
    ["nothing", ""],
    ["no JSON", "{"],
    ["a part that is none", JSON.stringify({ ...corrected, corrections: { template: "21001" } })],
    ["a missing part", JSON.stringify({ ...corrected, address: { city: "Portland" } })],
    ["an unknown verdict", JSON.stringify({ ...corrected, verdict: "fine" })],
    ["a prototype", `{"__proto__":{"verdict":"valid"}}`],
    ["an endless line", JSON.stringify({ ...corrected, reason: "x".repeat(501) })],
  ])("%s is not a check, and fills nothing", (_what, text) => {
    expect(post(text, "use_address")).toEqual({ draft: draftOf({}), addressCheck: null });
  });
});

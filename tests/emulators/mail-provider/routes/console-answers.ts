import { formatDay } from "../http/dates";
import { type Fields, readText } from "../http/fields";
import { LETTER_FORMATS, POSTCARD_FORMATS } from "../http/formats";
import { takePage } from "../http/paging";
import { Refusal } from "../http/reply";
import type { MailType } from "../mail-pieces";
import type { Store } from "../store";
import { changeCampaign } from "./campaign-routes";
import { countStatuses } from "./reporting-routes";
import { validateAddress } from "./resource-routes";
import type { Call } from "./router";

/** What the console extensions say that no documented call says: see console-extensions.ts. */

export const DATA_MODELS = [
  { id: "1", name: "mailpiece", fields: ["id", "status", "type", "format", "cost", "tags"] },
  { id: "2", name: "recipient", fields: ["id", "firstname", "lastname", "address1", "city", "postcode"] },
  { id: "3", name: "group", fields: ["id", "name", "recipients", "valid"] },
  { id: "4", name: "campaign", fields: ["id", "name", "type", "status", "send_date"] },
  { id: "5", name: "template", fields: ["id", "template_name", "size", "page_count"] },
];

/** @param wanted its id or name. @throws Refusal 404 */
export function requireDataModel(wanted: string) {
  const model = DATA_MODELS.find(({ id, name }) => id === wanted || name === wanted);
  if (!model) throw new Refusal(404, "Object not found");
  return model;
}

export function sendCampaign(store: Store, id: string) {
  const campaign = store.campaigns.require(id);
  if (!["draft", "approved"].includes(String(campaign.status))) {
    throw new Refusal(400, `This campaign is ${campaign.status} already`);
  }
  const sendDate = formatDay(store.settings.now());
  changeCampaign(store, campaign, { status: "scheduled", send_date: sendDate });
  return campaign;
}

export function cancelCampaign(store: Store, id: string) {
  const campaign = store.campaigns.require(id);
  if (["running", "complete", "cancelled"].includes(String(campaign.status))) {
    throw new Refusal(400, `This campaign can no longer be cancelled, its status is ${campaign.status}`);
  }
  changeCampaign(store, campaign, { status: "cancelled" });
  return campaign;
}

export function reportCampaign(store: Store, id: string) {
  const campaign = store.campaigns.require(id);
  const pieces = store.listPieces(null).filter((piece) => piece.campaignId === Number(campaign.id));
  const { name, status, recipients, cost } = campaign;
  return { id: campaign.id, name, status, recipients, cost, ...countStatuses(store, pieces) };
}

export function lookUpAddresses({ store, query }: Call) {
  const postcode = (query.get("postcode") ?? query.get("zipcode") ?? "").replace(/\s/g, "").toLowerCase();
  const words = (query.get("query") ?? query.get("address1") ?? "").toLowerCase();
  const known = [...store.recipients.values()].filter(
    (recipient) =>
      recipient.postcode.replace(/\s/g, "").toLowerCase().startsWith(postcode) &&
      recipient.address1.toLowerCase().includes(words),
  );
  return takePage(known, query).map(({ address1, address2, city, county, postcode: code, country }) => ({
    address1,
    address2,
    city,
    county,
    postcode: code,
    country,
  }));
}

export function testAddress(fields: Fields) {
  return readText(fields, "address1") === "" ? { is_valid: false } : validateAddress(fields);
}

export function countUsage(store: Store) {
  const pieces = store.listPieces(null);
  const count = (type: MailType) => pieces.filter((piece) => piece.type === type).length;
  return { postcards: count("postcard"), letters: count("letter"), recipients: store.recipients.size };
}

export function listPrices() {
  return [...POSTCARD_FORMATS, ...LETTER_FORMATS].map(([size, { cost }]) => ({
    type: LETTER_FORMATS.has(size) ? "letter" : "postcard",
    size,
    cost,
  }));
}

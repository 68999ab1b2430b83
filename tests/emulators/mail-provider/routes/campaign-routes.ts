import { DAY_MS, findDayStart, formatDay, formatSpacedTime } from "../http/dates";
import { readFirstText, readFlag, readText } from "../http/fields";
import { LETTER_FORMATS, POSTCARD_FORMATS } from "../http/formats";
import { Refusal, type Reply, requireFields, succeed } from "../http/reply";
import { describeGroup, type Store } from "../store";
import type { Row } from "./collection";
import { requirePathId } from "./mail-routes";
import type { Call, Route } from "./router";

/** campaigns/* as documented. */
export const CAMPAIGN_ROUTES: readonly Route[] = [
  { method: "GET", path: "campaigns/list", answer: ({ store }) => succeed(listCampaigns(store)) },
  { method: "GET", path: "campaigns/get/:id?", answer: getCampaign },
  { method: "POST", path: "campaigns/create", answer: createCampaign },
  { method: "POST", path: "campaigns/sample", answer: sampleCampaign },
  { method: "POST", path: "campaigns/approve", answer: approveCampaign },
  { method: "POST", path: "campaigns/cost", answer: priceCampaign },
  { method: "POST", path: "campaigns/availableDates", answer: listAvailableDates },
  { method: "POST", path: "campaigns/book", answer: bookCampaign },
  { method: "POST", path: "campaigns/delete", answer: deleteCampaign },
];

const UNBOOKED = ["draft", "approved"];

function listCampaigns(store: Store) {
  return store.campaigns.list().map(({ size: _onlyInGet, ...campaign }) => campaign);
}

function getCampaign(call: Call): Reply {
  return succeed(call.store.campaigns.require(requirePathId(call)));
}

function createCampaign({ store, fields }: Call): Reply {
  requireFields(fields, "name", "type", "group_id");
  const groupId = readText(fields, "group_id");
  store.requireMembers(groupId);
  const templateId = readText(fields, "template_id");
  if (templateId !== "") store.templates.require(templateId);
  else if (["file", "front"].every((name) => fields[name] === undefined)) {
    requireFields(fields, "template_id");
  }
  const created = addCampaign(store, {
    name: readText(fields, "name"),
    type: readText(fields, "type"),
    templateId: templateId || "0",
    groupId,
    filter: readText(fields, "what_recipients") || "all",
    status: "draft",
    createdAtMs: store.settings.now(),
    sendDate: "",
    dispatched: "",
  });
  return succeed({ id: created.id });
}

interface NewCampaign {
  name: string;
  type: string;
  templateId: string;
  groupId: string;
  filter: string;
  status: string;
  createdAtMs: number;
  sendDate: string;
  dispatched: string;
}

export function addCampaign(store: Store, campaign: NewCampaign): Row {
  const group = describeGroup(store, campaign.groupId);
  const created = formatSpacedTime(campaign.createdAtMs);
  const recipients = Number(group.recipients);
  const valid = Number(group.valid);
  return store.campaigns.add({
    account_id: store.accountId,
    name: campaign.name,
    template_id: campaign.templateId,
    type: campaign.type,
    trigger_date: "",
    send_date: campaign.sendDate,
    trigger_offset: "0",
    created,
    updated: created,
    status: campaign.status,
    recipients_group: campaign.groupId,
    recipients_filter: campaign.filter,
    recipients_validated: String(valid),
    recipients: String(recipients),
    recipients_not_valid: String(recipients - valid),
    dispatched: campaign.dispatched,
    cost: (recipients * Number(rateOf(campaign.type))).toFixed(2),
    voucher_code: "",
    image: "",
    size: campaign.type === "letter" ? "US-LETTER" : campaign.type.replace(/-postcard$/, ""),
  });
}

function requireNamedCampaign({ store, fields }: Call): Row {
  requireFields(fields, "id");
  return store.campaigns.require(readText(fields, "id"));
}

function sampleCampaign(call: Call): Reply {
  const campaign = requireNamedCampaign(call);
  const pages = [{ lines: [`Sample of campaign ${campaign.id}`, String(campaign.name)] }];
  const sample = { widthPt: 432, heightPt: 288, specimen: true, pages };
  return succeed(call.store.publishSample(`campaign-${campaign.id}`, sample));
}

function approveCampaign(call: Call): Reply {
  const campaign = requireNamedCampaign(call);
  if (campaign.status !== "draft") throw new Refusal(400, "Only a draft campaign can be approved");
  changeCampaign(call.store, campaign, { status: "approved" });
  return succeed(true);
}

function priceCampaign(call: Call): Reply {
  const campaign = requireNamedCampaign(call);
  const rate = rateOf(String(campaign.type));
  const group = describeGroup(call.store, String(campaign.recipients_group));
  const valid = Number(group.valid);
  const notValid = Number(group.recipients) - valid;
  const net = ((valid + notValid) * Number(rate)).toFixed(2);
  return succeed({
    rate,
    non_valid_rate: rate,
    delivery_rate: "0.00",
    international_rate: "1.86",
    valid: String(valid),
    not_valid: String(notValid),
    international: String(group.international),
    delivery_charge: "0.00",
    net,
    vat: "0.00",
    total: net,
  });
}

function rateOf(type: string): string {
  const format = type.replace(/-postcard$/, "");
  const found = POSTCARD_FORMATS.get(format) ?? POSTCARD_FORMATS.get(format.toUpperCase());
  return found?.cost ?? LETTER_FORMATS.get("US-LETTER")?.cost ?? "0.00";
}

function listAvailableDates({ store, fields }: Call): Reply {
  const fromMs = findDayStart(readText(fields, "start")) ?? store.settings.now();
  const untilMs = findDayStart(readText(fields, "end")) ?? fromMs + 30 * DAY_MS;
  const dates: string[] = [];
  for (let atMs = fromMs; atMs <= untilMs && dates.length < 366; atMs += DAY_MS) {
    if (![0, 6].includes(new Date(atMs).getUTCDay())) dates.push(formatDay(atMs));
  }
  return succeed(dates);
}

function bookCampaign(call: Call): Reply {
  const campaign = requireNamedCampaign(call);
  requireFields(call.fields, "send_date");
  const sendDate = readFirstText(call.fields, "send_date");
  const weekend = [0, 6].includes(new Date(findDayStart(sendDate) ?? Number.NaN).getUTCDay());
  if (campaign.status !== "approved") throw new Refusal(400, "Only an approved campaign can be booked");
  if (findDayStart(sendDate) === null || (weekend && !readFlag(call.fields, "next_available_date", true))) {
    throw new Refusal(400, "The send_date is not available");
  }
  changeCampaign(call.store, campaign, { status: "scheduled", send_date: sendDate });
  return succeed(true);
}

function deleteCampaign(call: Call): Reply {
  const campaign = requireNamedCampaign(call);
  if (!UNBOOKED.includes(String(campaign.status))) {
    throw new Refusal(400, "A booked campaign cannot be deleted");
  }
  call.store.campaigns.remove(campaign.id);
  return succeed(true);
}

export function changeCampaign(store: Store, campaign: Row, changes: Record<string, string>): void {
  Object.assign(campaign, changes, { updated: formatSpacedTime(store.settings.now()) });
}

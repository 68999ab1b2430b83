import { DAY_MS, formatSpacedTime } from "./http/dates";
import { addRecipient } from "./routes/account-routes";
import type { Recipient, Store } from "./store";

/** The people and their addresses are invented. */
const PEOPLE =
  `Ms Amelia Hartwell, Dr Zoë Müller, Mr José Álvarez, Mrs Siobhán O'Connor, Mr Björn Åkesson, Ms Chloé Tremblay,
  Mr Łukasz Wiśniewski, Ms Priya Raghunathan, Mr Noël D'Arcy, Mrs Anaïs Gagné, Mr Tomás Quiñones, Dr Ngozi Adeyemi,
  Mr Håkon Sørensen, Miss Grace Whitfield-Jones, Mr Dùbhghlas MacLeòid, Ms Renée Bélanger, Mr Kenji Watanabe,
  Prof Ines Carvalho, Mr Oliver Pemberton, Ms Maja Kovačević`
    .split(/,\s+/)
    .map((person) => person.split(" "));

/** City, county or state, postcode, country. */
const PLACES: readonly (readonly [string, string, string, string])[] = [
  ["Portland", "OR", "97205", "US"],
  ["Barnstaple", "Devon", "EX31 1AA", "GB"],
  ["Montréal", "QC", "H2X 1Y4", "CA"],
  ["Fremantle", "WA", "6160", "AU"],
  ["Austin", "TX", "78701", "US"],
  ["Leeds", "West Yorkshire", "LS1 4AP", "GB"],
  ["Boise", "ID", "83702", "US"],
  ["Hobart", "TAS", "7000", "AU"],
  ["Asheville", "NC", "28801", "US"],
  ["Halifax", "NS", "B3J 1S9", "CA"],
  ["Española", "NM", "87532", "US"],
];

const STREETS = ["Elm Street", "Station Road", "Rue Saint-Éloi", "Harbour Terrace", "Juniper Lane"];
const COMPANIES = ["", "Fernbank Dental", "", "Königstein & Daughters", "", "Blue Heron Books", ""];
const RECIPIENT_COUNT = 60;

const GROUPS: readonly (readonly [string, (recipient: Recipient) => boolean])[] = [
  ["All customers", () => true],
  ["Spring mailing, US", (recipient) => recipient.country === "US"],
  ["United Kingdom", (recipient) => recipient.country === "GB"],
  ["Canada and Australia", (recipient) => ["CA", "AU"].includes(recipient.country)],
  ["Businesses", (recipient) => recipient.company !== ""],
  ["Lapsed since last year", (recipient) => Number(recipient.id) % 7 === 0],
];

/** The starting recipients (ids from 1001) and groups. */
export function seedPeople(store: Store): void {
  for (let index = 0; index < RECIPIENT_COUNT; index++) addPerson(store, index);
  const created = formatSpacedTime(store.settings.now() - 200 * DAY_MS);
  for (const [index, [name, belongs]] of GROUPS.entries()) {
    const members = [...store.recipients.values()].filter(belongs);
    const id = String(310 + index);
    store.groups.set(id, { id, name, created, members });
  }
}

function addPerson(store: Store, index: number): void {
  const [title = "", firstname = ""] = pick(PEOPLE, index);
  const [, , lastname = ""] = pick(PEOPLE, index + Math.floor(index / PEOPLE.length) * 3);
  const [city, county, postcode, country] = pick(PLACES, index);
  const company = pick(COMPANIES, index);
  const recipient = addRecipient(
    store,
    {
      title,
      firstname,
      lastname,
      company,
      address1: `${12 + ((index * 37) % 480)} ${pick(STREETS, index)}`,
      address2: index % 4 === 0 ? `Unit ${1 + (index % 9)}` : "",
      address3: "",
      city,
      county,
      postcode: index % 29 === 28 ? "" : postcode,
      country,
    },
    {
      job_title: company === "" ? "" : "Office manager",
      email: `recipient${index + 1}@example.com`,
      phone_number: country === "GB" ? `+447700900${100 + index}` : `+120255501${10 + index}`,
      ref_id: `CRM-${4000 + index}`,
    },
  );
  recipient.created = formatSpacedTime(store.settings.now() - (190 - index * 3) * DAY_MS);
  recipient.updated = recipient.created;
}

function pick<T>(items: readonly T[], index: number): T {
  return items[index % items.length] as T;
}

import { PERSON } from "../mail-fields";
import { COUNTRIES } from "../options";
import {
  buildPresets,
  call,
  filterField,
  getCall,
  idField,
  listCall,
  OFFSET_FIELDS,
  OFFSET_QUERY,
  selectField,
  textField,
} from "../rows";

export const EXAMPLE_RECIPIENT = {
  id: "1001",
  account_id: "4817",
  title: "Ms",
  firstname: "Amelia",
  lastname: "Hartwell",
  company: "",
  job_title: "",
  address1: "12 Elm Street",
  address2: "Unit 1",
  address3: "",
  city: "Portland",
  county: "OR",
  country: "US",
  postcode: "97205",
  dps: "",
  email: "amelia.hartwell@example.com",
  phone_number: "+12025550110",
  ref_id: "CRM-4000",
  blacklist: "0",
  created: "2026-01-05 09:12:00",
  updated: "2026-01-05 09:12:00",
};

const ID = idField("Recipient ID", "From recipients/list.");

const REQUIRED = ["firstname", "lastname", "address1", "city", "postcode", "country"];

const { phone, ...NAMES } = PERSON;
const NAME_AND_ADDRESS = Object.values(NAMES).map((field) =>
  REQUIRED.includes(field.name) ? { ...field, required: true } : field,
);

/** The account's address book. */
export const RECIPIENT_PRESETS = buildPresets("recipients", [
  listCall("recipients", EXAMPLE_RECIPIENT, {
    label: "List recipients",
    description: "Lists the account's saved recipients with their IDs.",
    filter: filterField("country", "Country", COUNTRIES, "Only recipients in this country."),
    documented: {
      path: "recipients/list",
      query: OFFSET_QUERY,
      fields: [
        ...OFFSET_FIELDS,
        textField("group_id", "Group ID", { description: "Only the recipients in this group." }),
      ],
    },
    note: "The documented call uses offset and limit instead of page, and filters only by group_id.",
  }),
  getCall("recipients", EXAMPLE_RECIPIENT, {
    label: "Get recipient",
    description: "Shows one recipient with the full address. All values are strings.",
    id: { ...ID, placeholder: "1001" },
    documented: true,
  }),
  call("POST", "recipients/create", {
    label: "Create recipient",
    description: "Saves a new recipient and returns its ID.",
    example: { id: "1941", valid: true, created: "2026-01-15T10:30:00+00:00" },
    fields: [...NAME_AND_ADDRESS, phone],
    documented: {
      path: "recipients/new",
      fields: [
        ...NAME_AND_ADDRESS,
        textField("phone_number", "Phone", { placeholder: "+12025550110" }),
        textField("job_title", "Job title", { placeholder: "Office manager" }),
        textField("ref_id", "Your own ID", {
          placeholder: "CRM-4000",
          description: "The person's ID in your own system.",
        }),
        textField("group_id", "Group ID", { description: "Adds the new recipient to this group." }),
        selectField("on_duplicate", "Existing recipient", ["update", "ignore", "duplicate"]),
        selectField("test_level", "Compare by", ["fullname", "email", "initial", "ref_id"]),
      ],
    },
    note: "The documented call uses phone_number, and on_duplicate decides about duplicates.",
  }),
  call("POST", "recipients/update/{id}", {
    label: "Update recipient",
    description: "Changes the filled-in fields of a recipient.",
    example: EXAMPLE_RECIPIENT,
    fields: [ID, ...Object.values(PERSON)],
    note: "The documented way is recipients/new with on_duplicate set to update.",
  }),
  call("POST", "recipients/delete/{id}", {
    label: "Delete recipient",
    description: "Permanently deletes a recipient.",
    example: 1,
    fields: [ID],
    documented: { path: "recipients/delete" },
    note: "The documented call takes the id in the body, not in the path.",
  }),
]);

const ADDRESS = {
  address1: "12 Elm Street",
  address2: "Unit 1",
  city: "Portland",
  county: "OR",
  postcode: "97205",
  country: "US",
};
const CHECKED_ADDRESS = {
  ...ADDRESS,
  address3: "",
  reference_id: "",
  dps: "",
  udprn: "",
  is_valid: true,
};

const STREET = { ...PERSON.address1, required: true, placeholder: "12 Elm Street" };
const CITY = { ...PERSON.city, placeholder: "Portland" };
const POSTCODE = { ...PERSON.postcode, placeholder: "97205" };

export const ADDRESS_PRESETS = buildPresets("addresses", [
  call("GET", "addresses/lookup", {
    label: "Look up addresses",
    description: "Finds addresses by postcode.",
    example: [ADDRESS],
    fields: [
      { ...POSTCODE, required: true },
      {
        ...PERSON.address1,
        placeholder: "Elm Street",
        description: "Only addresses that contain these words.",
      },
      PERSON.country,
    ],
    note: "The closest documented call is addresses/validate.",
  }),
  call("POST", "addresses/validate", {
    label: "Validate address",
    description: "Checks a US or UK address and returns its official spelling.",
    example: CHECKED_ADDRESS,
    fields: [
      PERSON.company,
      STREET,
      PERSON.address2,
      textField("address3", "Address line 3"),
      CITY,
      PERSON.state,
      textField("province", "Province", {
        placeholder: "QC",
        description: "Canada only, instead of the state.",
      }),
      POSTCODE,
      PERSON.country,
    ],
    documented: true,
    note: "An invalid address gives success true and is_valid false.",
  }),
  call("POST", "test/address", {
    label: "Test address",
    description: "Checks whether an address can get mail. Nothing is sent.",
    example: CHECKED_ADDRESS,
    fields: [STREET, PERSON.address2, CITY, PERSON.state, POSTCODE, PERSON.country],
    note: "The closest documented call is addresses/validate.",
  }),
]);
